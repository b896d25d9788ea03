-- Made-up records, for SQLite and PostgreSQL. ``n * PRIME % 1000003`` is a number by chance.
-- A few players play most games. Two in five games have a built-in bot, one in a thousand a rare one.
CREATE TEMPORARY TABLE series AS WITH RECURSIVE numbers(n) AS (
  SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000) SELECT n FROM numbers;
CREATE TEMPORARY TABLE account AS
  SELECT n, 'p_0' || CAST(1000000000000000000 + n AS TEXT) AS id, CAST(NULL AS TEXT) AS bot
    FROM series WHERE n <= 20000
  UNION ALL SELECT 20001, 'bot_planner_1', 'planner'
  UNION ALL SELECT 20002, 'bot_hasty_1', 'hasty' UNION ALL SELECT 20003, 'bot_random_1', 'random';
CREATE UNIQUE INDEX account_n ON account (n);
CREATE TEMPORARY TABLE made AS SELECT
  n, 'g_0' || CAST(1000000000000000000 + n * 618033 % 1000003 AS TEXT) AS id,
  1700000000000 + n * 94608 AS at,  -- a million in three years
  CASE WHEN n % 1000 = 0 THEN 'switzerland' WHEN n % 7 < 4 THEN 'usa' ELSE 'europe' END AS board,
  n % 10 < 7 AS is_listed, 1 + n % 2 AS rank,
  1 + (n * 414213 % 1000003) * (n * 414213 % 1000003) / 50000400 AS a,
  CASE WHEN n % 1000 = 1 THEN 20003 WHEN n % 5 = 1 THEN 20001 WHEN n % 5 = 2 THEN 20002
    ELSE 1 + (n * 732050 % 1000003) * (n * 732050 % 1000003) / 50000400 END AS b
  FROM (SELECT CAST(n AS BIGINT) AS n FROM series) AS numbers WHERE n <= :games;
CREATE UNIQUE INDEX made_n ON made (n);
CREATE TEMPORARY TABLE pair AS  -- the players of a game from both views
  SELECT made.*, 0 AS seat, rank AS place, a AS one, b AS other FROM made
  UNION ALL SELECT made.*, 1, 3 - rank, b, a FROM made;
INSERT INTO board_table (n, digest, board, content) VALUES (1, 'x', 'usa', '{}');
INSERT INTO player (n, id) SELECT n, id FROM account;
INSERT INTO game (n, id, board, board_table, created, ended, recorded, is_listed, is_imported,
    published, is_unplayed, creator, is_settled, version, last_hash, history, head)
  SELECT made.n, made.id, board, 1, at, at + 60000, at + 60000, is_listed, false,
    CASE WHEN is_listed THEN at * 1000 END, false, one.id, true, 150, :hash, :history,
    '{"id": "' || made.id || '", "board": "' || board || '", "status": "finished", "version": 150, '
    || CASE WHEN is_listed THEN '' ELSE '"visibility": "unlisted", ' END
    || '"created": "", "updated": "", "deciding": [], "seats": [{"seat": 0, "player": {"id": "'
    || one.id || '", "name": "Ada"}, "total": 100, "rank": ' || CAST(rank AS TEXT)
    || '}, {"seat": 1, "player": {"id": "' || other.id || '", "name": "Grace"'
    || CASE WHEN other.bot IS NULL THEN '' ELSE ', "bot": "' || other.bot || '"' END
    || '}, "total": 100, "rank": ' || CAST(3 - rank AS TEXT) || '}]}'
  FROM made JOIN account one ON one.n = a JOIN account other ON other.n = b;
INSERT INTO seat (game, seat, player, name, bot, is_built_in, is_first, rank, total, decisions,
    milliseconds, created, ended, published)
  SELECT pair.n, seat, one, 'Ada', bot, bot IS NOT NULL, seat = 0, place, 100, 60, 600000,
    at, at + 60000, CASE WHEN is_listed THEN at * 1000 END
  FROM pair JOIN account ON account.n = one;
INSERT INTO generation (n, is_current, until_at, until_id) VALUES (1, true, 2000000000000, '');
INSERT INTO standing (n, generation, scope, player, account, is_latest, points, is_settled, mu,
    sigma, games, wins, last, shown, resigned, timed_out, aborted, changed)
  SELECT n + first, 1, scope, id, id, true, 1015000000 + n * 414213 % 20000000, n % 2 = 0, 25, 2,
    30, 9, 1800000000000, 1, 0, 0, 0, n + first
  FROM (SELECT CAST(n AS BIGINT) AS n, id FROM account WHERE bot IS NULL) AS people, (
    SELECT 0 AS first, 'overall' AS scope UNION ALL SELECT 20000, 'usa'
    UNION ALL SELECT 40000, 'europe') AS scopes;
INSERT INTO leaderboard (generation, scope, place, players, settled)
  SELECT 1, scope, points / 100000, count(*), count(CASE WHEN is_settled THEN 1 END)
  FROM standing GROUP BY scope, points / 100000;
INSERT INTO rated (game, at, facts)
  SELECT made.n, at, '{"board": "' || board || '", "at": ' || CAST(at AS TEXT)
    || ', "players": [["' || one.id || '", 1], ["' || other.id || '", 2]]}'
  FROM made JOIN account one ON one.n = a JOIN account other ON other.n = b
  WHERE made.n % 5 = 0 AND other.bot IS NULL AND a <> b;
INSERT INTO change (standing, was_aborted, at, game, seat, mu_before, sigma_before, mu, sigma,
    weight, undo)
  SELECT standing.n, false, pair.at, pair.n, seat, 25, 2, 25, 2, 1, '[]'
  FROM pair JOIN rated ON rated.game = pair.n
    JOIN standing ON standing.n IN (one, CASE board WHEN 'usa' THEN one + 20000
      WHEN 'europe' THEN one + 40000 END);
INSERT INTO versus (player, opponent, board, games, won, lost, played, margin)
  SELECT one.id, other.id, '', count(*), 0, 0, 0, 0
  FROM pair JOIN account one ON one.n = one JOIN account other ON other.n = other
  WHERE one <> other GROUP BY one.id, other.id;
INSERT INTO pace_total (player, place, decisions)
  SELECT id, series.n, 50 FROM account, series WHERE bot IS NULL AND series.n <= 10;
INSERT INTO tournament (n, id, creator, created, ended, is_listed, version, last_hash, history,
    head)
  SELECT n, 'c_0' || substr(id, 4), id, 1700000000000 + n * 1000, 1800000000000, n % 5 > 0, 9,
    :hash, :history, '{"id": "c_0' || substr(id, 4) || '", "status": "finished", "creator": "'
    || id || '"' || CASE WHEN n % 5 > 0 THEN '}' ELSE ', "visibility": "unlisted"}' END
  FROM (SELECT CAST(n AS BIGINT) AS n, id FROM account WHERE bot IS NULL) AS people;
INSERT INTO tournament_account (tournament, account, is_entrant, created, announced)
  SELECT DISTINCT tournament.n, account.id, true, tournament.created, tournament.ended
  FROM tournament JOIN series ON series.n <= 16
    JOIN account ON account.n = 1 + (tournament.n * 7 + series.n) % 20000
