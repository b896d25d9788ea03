/** All that the page says, in German. See en.mjs for what each text is for. */

const plural = new Intl.PluralRules("de");
/** Plurals by the singular. */
const PLURALS = new Map(
  Object.entries({
    Wagen: "Wagen",
    Bus: "Busse",
    Karte: "Karten",
    Zielkarte: "Zielkarten",
    Bahnhof: "Bahnhöfe",
    Strecke: "Strecken",
    Flagge: "Flaggen",
    Punkt: "Punkte",
    Tag: "Tage",
    Stunde: "Stunden",
    Minute: "Minuten",
    Sekunde: "Sekunden",
  }),
);
/** @param {string} thing in the singular */
const several = (thing) => PLURALS.get(thing) ?? thing;
/** @param {number} number @param {string} thing in the singular @param {string} [things] where PLURALS lacks it */
const count = (number, thing, things = several(thing)) =>
  `${number} ${plural.select(number) === "one" ? thing : things}`;
/** @param {string[]} names */
const all = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`;
/** @param {string[]} names @param {string} alone @param {string} together */
const verb = (names, alone, together) => `${all(names)} ${names.length > 1 ? together : alone}`;
/** @param {number} seconds */
const duration = (seconds) => {
  const [unit, length] =
    seconds % 86_400 === 0
      ? ["Tag", 86_400]
      : seconds % 3_600 === 0
        ? ["Stunde", 3_600]
        : seconds % 60 === 0
          ? ["Minute", 60]
          : ["Sekunde", 1];
  return count(seconds / Number(length), String(unit));
};

/** @type {typeof import("./en.mjs").app} */
export const app = {
  title: "Fogg",
  games: "Spiele",
  tournaments: "Turniere",
  leaderboards: "Ranglisten",
  boards: "Spielpläne",
  api: "API",
  parts: "Teile dieser Seite",
  skip: "Zum Inhalt",
  loading: "Wird geladen …",
  troubles: {
    away: "Der Dienst ist nicht erreichbar. Neuer Versuch …",
    busy: "Der Dienst ist überlastet. Neuer Versuch …",
    slow: "Der Dienst hat noch nicht geantwortet. Neuer Versuch …",
  },
  notLoaded: "Ein Teil der Seite konnte nicht geladen werden.",
  missing: "Unter dieser Adresse gibt es nichts.",
  missingWhy: "Vielleicht ist die Adresse falsch geschrieben, oder du darfst sie nicht sehen.",
  home: "Zu den Spielen",
  failed: "Das konnte nicht angezeigt werden.",
  again: "Noch einmal versuchen",
  guest: "Gast",
  bot: "Bot",
  openSeat: "freier Platz",
  seat: (seat) => `Platz ${seat + 1}`,
  namesake: (name, seat) => `${name} (${seat + 1})`,
  asked: "Jemand möchte mit dir spielen",
  yourTurn: (count) =>
    plural.select(count) === "one"
      ? "Du bist in einem Spiel am Zug"
      : `Du bist in ${count} Spielen am Zug`,
  clock: (clock) => {
    const { per_decision: each, total = Infinity, bank = total } = clock ?? {};
    if (each && each < bank)
      return `${duration(each)} je Entscheidung${total < Infinity ? `, je Spieler ${duration(total)}` : ""}`;
    if (!clock) return "ohne Zeitlimit";
    return `je Spieler ${duration(bank)}${clock.increment ? `, dazu ${duration(clock.increment)} mit jeder Entscheidung` : ""}`;
  },
  sound: "Ton",
  account: "Konto",
  language: "Sprache",
  forgotten: {
    revoked:
      "Du bist hier abgemeldet, denn der Schlüssel in diesem Browser wurde widerrufen. Dein Konto " +
      "gibt es noch: Um es wieder zu benutzen, klicke auf „Gast“ und lade einen anderen Schlüssel.",
    deleted: "Dein gespeichertes Konto gibt es auf diesem Server nicht mehr.",
  },
  dismiss: "OK",
  points: "Punkte",
  name: "Name",
  settings: "Einstellungen",
  over: "beendet",
  rank: "Platz",
  board: "Spielplan",
  allBoards: "Alle Spielpläne",
  close: "Schließen",
  save: "Speichern",
  cancel: "Abbrechen",
  won: "Gewonnen",
  seats: "Plätze",
};

/** @type {typeof import("./en.mjs").guests} */
export const guests = {
  name: (one, other) => {
    const colors = [
      "Bernstein",
      "Azur",
      "Kupfer",
      "Korallen",
      "Purpur",
      "Smaragd",
      "Gold",
      "Indigo",
      "Elfenbein",
      "Jade",
      "Flieder",
      "Kastanien",
      "Oliven",
      "Perlen",
      "Rubin",
      "Rost",
      "Safran",
      "Scharlach",
      "Silber",
      "Petrol",
      "Veilchen",
    ];
    const animals = [
      "dachs",
      "biber",
      "bison",
      "kranich",
      "delfin",
      "falke",
      "fuchs",
      "gecko",
      "hase",
      "reiher",
      "steinbock",
      "turmfalke",
      "luchs",
      "marder",
      "elch",
      "otter",
      "eule",
      "papageitaucher",
      "rabe",
      "spatz",
      "robbe",
      "storch",
      "schwan",
    ];
    return `${colors[one % colors.length]}${animals[other % animals.length]}`;
  },
};

/** @type {typeof import("./en.mjs").game} */
export const game = {
  map: "Karte",
  log: "Verlauf",
  play: "Dein Zug",
  replay: "Wiederholung",
  lookBack: "Zurückblicken",
  scoring: "Schlusswertung",
};

/** @type {typeof import("./en.mjs").map} */
export const map = {
  colors: {
    red: "rot",
    orange: "orange",
    yellow: "gelb",
    green: "grün",
    blue: "blau",
    purple: "lila",
    violet: "violett",
    pink: "rosa",
    white: "weiß",
    black: "schwarz",
    grey: "grau",
    wild: "Joker",
    any: "beliebig",
  },
  nouns: {
    train: "Wagen",
    bus: "Bus",
    Bus: "Bus-Joker",
    Locomotive: "Lokomotive",
    city: "Stadt",
    location: "Ort",
    district: "Bezirk",
    card: "Karte",
    "Destination Ticket": "Zielkarte",
    "Train Station": "Bahnhof",
    ticket: "Zielkarte",
    station: "Bahnhof",
    flag: "Flagge",
    "French flag": "Frankreich-Flagge",
    wild: "Joker",
    point: "Punkt",
  },
  closer: "Vergrößern",
  farther: "Verkleinern",
  whole: "Die ganze Karte",
  list: "Streckenliste",
  filter: "Ort suchen",
  zoom: "Zoom",
  key: "Zeichenerklärung",
  keys: "Plus und Minus zoomen, Pfeiltasten verschieben, 0 zeigt die ganze Karte, ? erklärt die Zeichen.",
  found: (routes) => count(routes, "Strecke"),
  double: "eines von zwei Gleisen",
  takes: (length, color) => `${length} ${color}`,
  grey: "in einer beliebigen Farbe",
  worth: (points) => count(points, "Punkt"),
  owned: (name) => `gehört ${name}`,
  free: "frei",
  station: (name) => `Bahnhof von ${name}`,
  said: (board, locations, routes, claimed) =>
    `Karte von ${board}: ${locations} Orte, ${routes} Strecken, davon ${claimed} genutzt`,
};

/** @type {typeof import("./en.mjs").play} */
export const play = {
  words: {
    card: "Karte",
    wild: "Joker",
    train: "Wagen",
    ticket: "Zielkarte",
    location: "Ort",
    station: "Bahnhof",
    flag: "Flagge",
  },
  count,
  you: "(du)",
  points: "Punkte",
  hand: "Deine Karten",
  row: "Offene Karten",
  backs: { cards: "Stapel", tickets: "Ziele" },
  tickets: "Deine Zielkarten",
  noCards: "Du hast keine Karten.",
  noneYet: "Noch keine.",
  take: (color) => `Die Karte nehmen: ${color}`,
  draw: (left) => `Eine verdeckte Karte ziehen: ${left} im Stapel`,
  drawTickets: (ticket, left) => `${several(ticket)} ziehen: noch ${left}`,
  notNow: "Das kannst du jetzt nicht ziehen.",
  notSecond: "Die zweite Karte darf kein offener Joker sein (Regel 3.2).",
  midTurn: "Du hast eine Karte gezogen: Nimm die zweite.",
  noDeck: "Es gibt keine Karten mehr zu ziehen.",
  noTickets: "Es gibt keine Zielkarten mehr.",
  isOver: "Das Spiel ist aus.",
  youWatch: "Du schaust zu.",
  lookingBack: "Du siehst eine frühere Stellung.",
  notYours: "Du bist nicht am Zug.",
  moment: "Einen Moment …",
  youLeft: "Du hast dieses Spiel verlassen.",
  theirs: {
    turn: (names) => verb(names, "ist am Zug.", "sind am Zug."),
    second_card: (names) => verb(names, "nimmt eine zweite Karte.", "nehmen eine zweite Karte."),
    keep_tickets: (names) => verb(names, "wählt Zielkarten.", "wählen Zielkarten."),
    tunnel: (names) =>
      verb(names, "entscheidet über einen Tunnel.", "entscheiden über einen Tunnel."),
  },
  yours: {
    second_card: "Nimm eine zweite Karte.",
    keep_tickets: "Wähle, welche Zielkarten du behältst.",
    tunnel: "Der Tunnel kostet mehr: Zahle, oder zieh dich zurück.",
  },
  haveTo: (what) => `Du bist dran: ${what}.`,
  theyHaveTo: (names, what) => `${verb(names, "ist dran", "sind dran")}: ${what}.`,
  decides: {
    turn: "am Zug",
    second_card: "nimmt eine zweite Karte",
    keep_tickets: "wählt Zielkarten",
    tunnel: "entscheidet über einen Tunnel",
  },
  yourTurn: (can) => (can.length ? `Dein Zug: ${can.join(" oder ")}.` : "Dein Zug."),
  canDraw: "Karten ziehen",
  canClaim: "eine Strecke nutzen",
  routes: (number) => `${count(number, "Strecke")} zur Wahl`,
  canTicket: (ticket) => `${several(ticket)} ziehen`,
  mustPass: "Du kannst nur passen.",
  pass: "Passen",
  buildStation: (station) => `${station} bauen`,
  choosePlace: (location, station) => `Wo soll es stehen? Wähle: ${location} für ${station}.`,
  asks: {
    resign: () => ({
      sure: "Dieses Spiel endgültig verlassen?",
      yes: "Ja, aufgeben",
      no: "Nein, weiterspielen",
    }),
    draw_tickets: (ticket) => ({
      sure: `Neue ${several(ticket)} kosten den ganzen Zug.`,
      yes: `${several(ticket)} ziehen`,
      no: "Abbrechen",
    }),
  },
  resign: "Aufgeben",
  finalTurns: (turns) =>
    turns === 1 ? "Das ist der letzte Zug." : `Das Ende ist nah: noch ${turns} Züge.`,
  connected: "verbunden",
  missed: "nicht verbunden",
  onlyLent: "nur noch über eine fremde Strecke",
  impossible: "nicht mehr zu verbinden",
  tooFew: (trains, train) => `noch ${count(trains, train)}, mehr als du hast`,
  lacks: (trains, train) => `noch ${count(trains, train)}`,
  refused: (words) => `Das wurde abgelehnt: ${words}.`,
  unreached:
    "Vielleicht ist dein Zug nicht angekommen. Die Seite zeigt es, sobald der Dienst wieder antwortet.",
  rule: (number) => `Regel ${number}`,
  bank: "Vorrat",
  timeLeft: "Zeit:",
  timeIsUp: "keine",
  hurry: (seconds) => `Du hast weniger als ${seconds} Sekunden.`,
  span: (seconds) => {
    const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
    if (hours >= 24) {
      const [days, more] = [
        Math.floor(Math.ceil(seconds / 3600) / 24),
        Math.ceil(seconds / 3600) % 24,
      ];
      return `${count(days, "Tag")}${more ? ` ${more} Std.` : ""}`;
    }
    return hours
      ? `${hours} Std. ${minutes % 60} Min.`
      : `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  },
  left: {
    resigned: "hat aufgegeben",
    time: "hat die Zeit überschritten",
    aborted: "hat das Spiel abgebrochen",
  },
  rank: (rank) => (rank === 1 ? "gewonnen" : `Platz ${rank}`),
  won: (names, points) =>
    `${verb(names, "gewinnt", "teilen sich den Sieg")} mit ${points} Punkten.`,
  noResult: "Das Spiel ist ohne Ergebnis aus.",
  counting: "Das Spiel ist aus. Die Punkte werden gezählt.",
  showResult: "Ergebnis zeigen",
  endings: {
    final_turns: "Die letzten Züge sind gespielt.",
    all_passed: "Niemand konnte mehr ziehen.",
    no_progress: "Lange kam niemand voran.",
    one_seat_left: "Alle anderen sind gegangen.",
    aborted: "Es wurde abgebrochen.",
    expired: "Niemand kam.",
  },
  rematch: "Revanche",
};

/** @type {typeof import("./en.mjs").choices} */
export const choices = {
  whichCards: "Welche Karten?",
  claim: "Nutzen",
  build: "Bauen",
  pay: "Zahlen",
  claimRoute: (name) => `${name} nutzen`,
  buildAt: (station, place) => `${station} bauen: ${place}`,
  scores: (points) => `bringt ${points}`,
  scoresPoints: (points) => `Bringt ${count(points, "Punkt")}.`,
  isMarked: (what) => `${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
  keepForFlag: "Eine davon für die Flagge behalten (Regel 4.5)",
  yourTunnel: (name) => `Dein Tunnel ${name}`,
  theirTunnel: (who, name) => `Tunnel von ${who}: ${name}`,
  laid: "Gelegt",
  turned: "Vom Stapel aufgedeckt",
  asksMore: (extra) =>
    `Jede aufgedeckte Karte in der gelegten Farbe und jeder Joker kostet eine Karte mehr: ${count(extra, "Karte")}.`,
  cannotPay: "Dafür hast du nicht die Karten.",
  withdraw: "Zurückziehen und die Karten behalten",
  keepSome: (least, of, ticket) => `Behalte mindestens ${least} von ${of} ${several(ticket)}`,
  keep: (number) => (number ? `${number} behalten` : "Behalten …"),
  lacksCards: "Dir fehlen:",
  forGrey: (count) => `${count} für graue Gleise`,
  helps: (tickets) => `Auf deinem Weg ${tickets.join(" und ")}.`,
  youCanPay: "Du kannst sie nutzen:",
  youHave: (cards, lacks) =>
    `${cards ? `Du hast ${cards}` : "Du hast keine der Karten dafür"}${lacks ? `: ${lacks === 1 ? "1 fehlt" : `${lacks} fehlen`} noch` : ""}.`,
};

/** @type {typeof import("./en.mjs").lesson} */
export const lesson = {
  title: "Deine erste Lektion",
  step: (step, of) => `Lektion ${step} von ${of}.`,
  steps: [
    (ticket) =>
      `Eine ${ticket} nennt zwei Orte, die du verbinden sollst. Wähle eine: Die Karte zeigt einen Weg. Dann behalte, was du versuchen willst.`,
    () =>
      "Nimm jetzt zwei Karten, offene oder vom Stapel. Eine Karte mit Stern ersetzt jede Farbe; offen genommen ist sie deine einzige.",
    () =>
      "Dick gelb umrandete Strecken liegen auf deinem Weg; bei gestrichelten fehlen dir Karten. Klicke auf eine oder öffne die Liste: Sieh, was sie kostet.",
    (_, __, count) =>
      count
        ? "Jetzt nutze eine: Klicke auf eine gelb umrandete Strecke und dann auf die Karten dafür."
        : "Nimm Karten, bis eine Strecke gelb umrandet ist. Dann klicke auf sie und auf die Karten dafür.",
    (ticket, train, count) =>
      `Punkte für dich: ${count}. Längere Strecken bringen mehr. Am Ende bringt jede ${ticket} ihre Punkte oder kostet sie, ` +
      `wenn sie nicht verbunden ist. Hat jemand höchstens zwei Figuren übrig (hier je ein ${train}), sind alle noch einmal am Zug.`,
  ],
  skip: "Ohne Lektion spielen",
  end: "Weiterspielen",
};

/** @type {typeof import("./en.mjs").refusals} */
export const refusals = {
  cannotClaim: (name) => `Du kannst ${name} jetzt nicht nutzen.`,
  isClaimed: (name) => `Die Strecke gehört ${name}.`,
  hasTwin: "Dir gehört schon das andere Gleis (Regel 4.2).",
  oneTrack: (players) =>
    `Das andere Gleis ist vergeben: Bei ${players} Spielern wird nur eines genutzt (Regel 4.2).`,
  tooLong: (length, left, train) =>
    `Sie braucht ${count(length, train)}, und du hast noch ${left}.`,
  isYours: "Die Strecke gehört dir.",
  needs: (length, color, held) =>
    color
      ? `Du brauchst ${length} ${color} und hast ${held || "keine"}.`
      : `Du brauchst ${length} Karten einer Farbe und hast höchstens ${held || "keine"}.`,
  cannotBuild: (station, place) => `Du kannst jetzt nicht bauen: ${station} in ${place}.`,
  youBuilt: "Du hast hier schon gebaut.",
  hasBuilt: (name) => `Hier hat ${name} gebaut.`,
  noneLeft: (station) => `Du hast nichts mehr davon: ${station}.`,
  cardsLack: "Deine Karten reichen dafür nicht.",
};

/** @type {typeof import("./en.mjs").log} */
export const log = {
  and: all,
  card: (name, count, _isWild) => `${count > 1 ? count : 1} ${name}`,
  way: (a, b) => `${a} – ${b}`,
  count: (number, noun, nouns) => {
    const german = new Map(Object.entries(map.nouns)).get(noun);
    return german ? count(number, german) : count(number, noun, nouns);
  },
  declared: {
    "events game_created": "Ein Spiel auf dem Plan {board}, für {seats}",
    "events seat_taken": "{player} setzt sich",
    "events seat_left": "{seat} steht auf",
    "events player_invited": "{player} ist eingeladen",
    "events invitation_closed": [
      "reason=expired? Die Einladung von {player} ist abgelaufen",
      "reason=withdrawn? Die Einladung von {player} wurde zurückgenommen",
      "{player} lehnt ab",
    ],
    "events open_seats_closed": "Freie Plätze wurden entfernt",
    "events game_aborted": [
      "reason=expired? Abgebrochen: Es wartete zu lange auf Spieler",
      "Das Spiel ist abgebrochen",
    ],
    "events game_forked": "Es geht ab Eintrag {version} eines anderen Spiels weiter",
    "events game_started": "Das Spiel beginnt; zuerst am Zug: {first_seat:seat}",
    "events card_drawn": [
      "from=row? {seat} nimmt {card} aus der Auslage",
      "card? {seat} zieht {card} vom Stapel",
      "{seat} zieht eine Karte vom Stapel",
    ],
    "events row_discarded": "Zu viele Joker liegen offen: Die Auslage wird ersetzt",
    "events deck_shuffled": "Die Ablage wird zu einem neuen Stapel gemischt",
    "events route_claimed": "{seat} nutzt {route} mit {cards}[ und {trains train}]: {points point}",
    "events tickets_drawn": "{seat} zieht {tickets ticket}",
    "events tickets_kept": "{seat} behält {kept:number} von {kept+refused ticket}[: {kept:route}]",
    "events station_built": "{seat} baut mit {cards} einen Bahnhof in {location}",
    "events tunnel_attempted": "{seat} versucht den Tunnel {route} mit {cards}",
    "events tunnel_card_turned": "Aufgedeckt: {card}",
    "events tunnel_cost_raised": "Der Tunnel kostet {extra card} mehr",
    "events tunnel_withdrawn": "{seat} zieht sich aus dem Tunnel zurück",
    "events resigned": [
      "reason=time? {seat} hat die Zeit überschritten und scheidet aus",
      "{seat} gibt auf",
    ],
    "events final_turns_began": "Das Ende ist nah, noch ein Zug: {seats:seat}",
    "events passed": "{seat} kann nichts tun und passt",
    "events game_ended": [
      "reason=all_passed? Das Spiel ist aus: Niemand kann etwas tun",
      "reason=no_progress? Das Spiel ist aus: Lange kam niemand voran",
      "reason=one_seat_left? Das Spiel ist aus: Alle anderen sind gegangen",
      "Das Spiel ist aus",
    ],
    "events flag_completed": "{seat} vollendet mit {cards} eine Flagge: {points point}",
    "routes tunnel": "Tunnel: drei Karten werden aufgedeckt und können mehr verlangen",
    "routes ferry": "Fähre: mindestens {ferry:wild}",
    "seat_view stations": "{stations station}",
    "locations district": "Bezirk {district}",
    "rules longest_path":
      "Wer am Ende den längsten Weg hat, bekommt {longest_path_bonus point}; bei Gleichstand alle davon.",
    "rules stations":
      "Alle haben {stations station}: Jeder gebaute leiht für Zielkarten eine fremde Strecke, jeder übrige bringt 4 Punkte.",
    "rules tunnels":
      "Ist der Preis gelegt, werden drei Karten aufgedeckt: Jede in der gelegten Farbe und jeder Joker kostet eine Karte mehr.",
    "rules ferries":
      "Von den gezahlten Karten müssen mindestens so viele Joker sein, wie die Strecke Zeichen zeigt.",
    "rules districts":
      "Ein Bezirk, dessen Orte alle durch Strecken eines Spielers verbunden sind, bringt so viele Punkte wie seine Nummer.",
    "rules flags":
      "Bei einer blauen, weißen oder roten Strecke darf eine Karte behalten werden; Blau, Weiß und Rot zusammen bringen 4 Punkte.",
  },
  dealt: "Karten werden ausgeteilt, und Zielkarten zur Wahl",
  scores: (name, what, points) => `${name} bekommt ${points} Punkte: ${what}`,
  result: (rank, name, total) => `${rank}. ${name}: ${total} Punkte`,
  timedOut: "Von der Uhr gespielt: Die Zeit war um",
  quiet: "Nichts zu sehen",
  since: "Seit deinem letzten Zug:",
  lately: "Letzte Züge:",
  times: (count) => `(${count}-mal)`,
};

/** @type {typeof import("./en.mjs").replay} */
export const replay = {
  position: "Stelle im Spiel",
  version: (version, words) => `Zug ${version}: ${words}`,
  play: "Abspielen",
  pause: "Anhalten",
  back: "Einen zurück",
  on: "Einen weiter",
  first: "Zum Anfang",
  last: "Zum Ende",
  number: "Zug",
  of: (count) => `von ${count}`,
  live: "Zurück zur Gegenwart",
  skip: "Zur Gegenwart springen",
  ahead: (moves) => `${moves} Züge voraus`,
  isLive: "Live",
  end: "Zurück zum Spiel",
  speed: "Tempo",
  speeds: (speed, pause) =>
    speed === Infinity
      ? "so schnell es geht"
      : speed < 0
        ? "wie eine Vorstellung"
        : speed
          ? `${speed} je Sekunde`
          : `Echtzeit, Pausen bis ${pause} s`,
  jump: "Springen nach",
  previous: "Vorige Stelle",
  next: "Nächste Stelle",
  turns: "Zügen",
  notes: "Notizen",
  kinds: { claims: "Strecken", tickets: "Zielkarten", stations: "Bahnhöfen", tunnels: "Tunneln" },
  turnsOf: (name) => `Zügen von ${name}`,
  hands: "Karten",
  allHands: "Alle Karten offen",
  seenBy: (name) => `Wie ${name} es sah`,
  analyse: "Analysieren",
  parts: { share: "Teilen", fork: "Was wäre wenn?", check: "Prüfen", keys: "Tasten" },
  scored: (scores) => `Punkte im Verlauf; jetzt ${scores}`,
  score: (name, score) => `${name} ${score}`,
};

/** @type {typeof import("./en.mjs").analysis} */
export const analysis = {
  title: "Analyse",
  curve: "Siegchancen im Verlauf",
  queued: "Die Analyse beginnt, wenn kein Spiel auf einen Bot wartet",
  running: "Jeder Zug wird bewertet",
  failed: "Dieses Spiel kann nicht analysiert werden.",
  nothing: "In diesem Zug hat niemand etwas entschieden.",
  inaccuracy: "Ungenauigkeit",
  mistake: "Fehler",
  blunder: "Grober Fehler",
  legend: (marks) =>
    `Markierte Züge und die Punkte, die sie mindestens gekostet haben: ${marks.join(", ")}.`,
  same: "Kein anderer Zug war sicher besser.",
  other: (action) => `Der Bot expert fand besser: ${action}.`,
  costs: (cost, least, most) =>
    `Der Zug hat ${cost} Punkte gekostet (zwischen ${least} und ${most}, zu 95 % sicher).`,
  chance: (chance) => `Siegchance danach: ${chance}.`,
  turn: (version) => `Wendepunkt: Zug ${version}`,
  turned: "Wendepunkt: Von hier an hatte der Sieger die besten Chancen.",
  cost: (version, cost) => `Zug ${version}: ${cost} Punkte`,
  none: "keine mit Sicherheit",
  more: "Was die Zahlen bedeuten",
  learnShort: "Lernen",
  learn: (name) => `Lerne aus den Fehlern von ${name}`,
  task: (name, move) =>
    `${name} entschied sich für: ${move}. Finde einen besseren Zug: in der Liste oder auf dem Plan.`,
  choose: "Wähle einen Zug",
  try: "Versuchen",
  show: "Zeigen",
  next: "Weiter",
  end: "Beenden",
  found: "Ja, das ist er.",
  missed: (move) => `Der Bot expert fand etwas anderes als: ${move}. Versuch es noch einmal.`,
  actions: {
    keep: (tickets) => `${tickets.join(", ")} behalten`,
    draw: (card) => `${card} ziehen`,
    deck: "eine Karte vom Stapel ziehen",
    tickets: "Zielkarten ziehen",
    claim: (way, cards) => (cards ? `${way} mit ${cards} nutzen` : `${way} nutzen`),
  },
};

/** @type {typeof import("./en.mjs").scoring} */
export const scoring = {
  play: "Zusammenzählen",
  stop: "Anhalten",
  back: "Einen Schritt zurück",
  step: "Einen Schritt weiter",
  total: "Summe",
  path: (name, length) => `Den längsten Weg hat ${name}: Länge ${length}.`,
  boldest: (ticket) => `Die kühnste Zielkarte. ${ticket}.`,
  largest: (name, route, length) => `Die größte Strecke hat ${name}: ${route}, Länge ${length}.`,
  parts: {
    routes: "Strecken",
    tickets: "Zielkarten",
    longest_path: "Längster Weg",
    stations: "Bahnhöfe",
    districts: "Bezirke",
    flags: "Flaggen",
    globetrotter: "Meiste Zielkarten",
  },
  begin: "Noch ist nichts gezählt.",
  routes: "Strecken, wie sie im Spiel gezählt wurden",
  ticket: (name, ticket, points, isDone, isLent) =>
    `${name}: ${ticket} ist ${
      isDone
        ? `verbunden${isLent ? " dank eines Bahnhofs" : ""}, ${points} Punkte`
        : `nicht verbunden, ${points} Punkte`
    }`,
  trail: (name, length, points) =>
    `${name}: Ein Weg von ${length} Wagen ist der längste, ${points} Punkte`,
  part: (part, of) => `${part}: ${of.join(", ") || "niemand"}`,
  won: (names, total) =>
    `${names.join(" und ")} ${names.length > 1 ? "gewinnen" : "gewinnt"} mit ${total} Punkten.`,
};

/** @type {typeof import("./en.mjs").key} */
export const key = {
  cards: "Karten",
  wild: (name) => `${name}: ersetzt jede Farbe`,
  routes: "Freie Strecken",
  colored: (color, wild) =>
    `Braucht Karten dieser Farbe, hier ${color}, eine für jedes Feld; ${wild} ersetzt jede Karte. ` +
    "Näher herangezoomt zeigen die Felder das Zeichen der Karten.",
  grey: "Grau: braucht Karten in einer beliebigen Farbe.",
  marks: {
    ferry: (wild) => `Fähre: Jedes Feld mit diesem Stern braucht diese Karte: ${wild}.`,
    tunnel: () =>
      "Tunnel, mit gestricheltem Rand: Beim Zahlen werden drei Karten aufgedeckt und können den Preis erhöhen.",
  },
  double: (counts) =>
    `Zwei Gleise zwischen denselben Orten: Niemand darf beide nutzen.${
      counts.length ? ` Bei ${counts.join(" oder ")} Spielern wird nur eines genutzt.` : ""
    }`,
  places: "Orte",
  location: (location) => `Ein Ort: ${location}.`,
  district: (location, district, number) =>
    `${location}; Nummer und Farbe zeigen: ${district}, hier ${number}.`,
  seat: (seat) => `Platz ${seat + 1}`,
  seatsOfGame:
    "Jeder Platz hat eine Nummer, ein Muster für seine Wagen und eine Linie im Diagramm der Punkte.",
  seatsOfBoard: "Jeder Platz hat eine Nummer und ein Muster für seine Wagen.",
  station: (station) => `${station} mit Muster und Nummer des Besitzers.`,
  flag: (flag) => `Eine Karte neben einem Namen ist aufgehoben für: ${flag}.`,
  lights: "Hervorhebungen",
  helps: (ticket) =>
    `Du kannst sie jetzt nutzen, und sie liegt auf einem kürzesten Weg für eine ${ticket} von dir.`,
  would: (ticket) => `Sie liegt auf so einem Weg für eine ${ticket}, aber dir fehlen Karten dafür.`,
  can: "Du kannst sie jetzt nutzen.",
  cannot: "Nicht hervorgehoben: Du kannst sie jetzt nicht nutzen.",
  chosen: "Gewählt, oder in einer Liste gezeigt.",
  wanted: (ticket) => `Fehlt: der kürzeste Weg für die gezeigte ${ticket}.`,
  done: (ticket) => `Geschafft: dein Teil dieses Weges, oder der Weg einer erfüllten ${ticket}.`,
  ends: (ticket) => `Die Enden der gezeigten ${ticket}.`,
  missed: (ticket) => `Die Enden einer ${ticket}, die nicht mehr zu erfüllen ist.`,
  traced: "In der Schlusswertung: der Weg, der zählt.",
};

/** @type {typeof import("./en.mjs").more} */
export const more = {
  share: "Diese Stellung teilen",
  link: "Link zu dieser Stellung",
  copy: "Link kopieren",
  copied: "Kopiert",
  card: "Vorschaubild (PNG)",
  picture: "Bild dieser Stellung",
  history: "Verlauf herunterladen",
  isPrivate: "Das Spiel ist privat: Nur seine Spieler können den Link öffnen.",
  fork: "Was wäre wenn? Ab hier weiterspielen",
  notUnderWay: "Wähle eine Stellung vor dem Ende des Spiels.",
  inPlaceOf: "Anstelle von",
  me: "Du",
  kept: "Die Karten liegen wie in diesem Spiel; sonst werden sie neu gemischt",
  goOn: (version) => `Ab Zug ${version} weiterspielen`,
  check: "Dieses Spiel prüfen",
  checks:
    "Dein Browser prüft jede Prüfsumme der Kette, die Festlegung vor der ersten Karte und jedes Mischen. " +
    "Dann sucht er das Spiel im öffentlichen Verzeichnis der beendeten Spiele.",
  checkNow: "Jetzt prüfen",
  needsHttps: (url) =>
    `Browser prüfen nur auf Seiten mit https oder von localhost. Im Terminal prüft es „fogg verify ${url}“.`,
  checked: (version, count) => `Eintrag ${version} von ${count}`,
  right: {
    commitment: "der Startwert ist der, auf den man sich festgelegt hat",
    firstSeat: "der erste Platz folgt aus dem Startwert",
    tickets: "die Reihenfolge der Zielkarten folgt aus dem Startwert",
    cards: "die Reihenfolge der Karten folgt aus dem Startwert",
    undrawn: "die Reihenfolge der nie gezogenen Karten folgt aus dem Startwert",
  },
  allRight: (count, hash) => `Alle ${count} Einträge stimmen. Die letzte Prüfsumme ist ${hash}`,
  isWrong: (version, words) => `Eintrag ${version} ist falsch: ${words}`,
  log: {
    title: "Im Verzeichnis der beendeten Spiele",
    looking: "Wird gesucht …",
    named: "das war die letzte Zeile, als das Spiel angelegt wurde: sein erster Eintrag nennt sie",
    follow: (first) => `die Prüfsummen der Zeilen von ${first} bis hier bilden eine Kette`,
    own: (hash) => `das ist die Zeile des Spiels; ihre Prüfsumme ist ${hash}`,
    right:
      "Das Verzeichnis hat das Spiel, wie du es hier siehst. Hebe die Prüfsumme der Zeile auf: Würde dieses Spiel " +
      "oder ein früher beendetes geändert, könnte kein Verzeichnis diese Zeile enthalten.",
    lacking: (last) =>
      `Das Verzeichnis endet mit Zeile ${last} und hat dieses Spiel nicht. Wenn es gerade erst beendet wurde, ` +
      "prüfe gleich noch einmal.",
    wrong: (words) => `Das Verzeichnis konnte nicht geprüft werden: ${words}`,
    gone: (n) => `Zeile ${n} ist nicht die, die der erste Eintrag des Spiels nennt`,
  },
  unchecked: "Hier nicht geprüft",
  uncheckedList: (isInLog) => [
    "die Regeln, die Uhr und die Schlusswertung: Das Programm fogg verify prüft auch diese",
    isInLog
      ? "die anderen Zeilen des Verzeichnisses, und ob alle dasselbe bekommen: Vergleiche Prüfsummen mit anderen"
      : "ob alle denselben Verlauf bekommen: Das kann nur das Verzeichnis zeigen",
  ],
  fairness: "Was jede Prüfung beweist",
  keyList: [
    { keys: ["Leertaste"], deed: "abspielen, anhalten" },
    { keys: ["←", "→"], deed: "einen zurück, einen weiter" },
    {
      keys: ["Umschalt ←", "Umschalt →"],
      deed: "zur vorigen, zur nächsten Stelle, nach der du springst",
    },
    { keys: ["Pos1", "Ende"], deed: "zum Anfang, zum Ende" },
    {
      keys: ["1", "2", "…", "0"],
      deed: "wie dieser Platz es sah, alle Karten offen (wenn das Spiel aus ist)",
    },
  ],
};

/** @type {typeof import("./en.mjs").lobby} */
export const lobby = {
  title: "Hol dir die Strecken, bevor es andere tun.",
  what: "Spiele nach den Regeln von Zug um Zug (Ticket to Ride), gegen Bots oder mit Freunden. Du brauchst kein Konto.",
  trust: "Jedes Mischen lässt sich nachprüfen.",
  boards: "Wähle einen Spielplan",
  choices: "Alle Einstellungen",
  hero: {
    title: "Ein Spiel, das sich selbst wiederholt",
    whole: "Ganz ansehen",
    watch: "Bots zuschauen",
    pause: "Anhalten",
    play: "Weiter",
    shown: (board) => `Ein echtes Spiel auf ${board}`,
  },
  friends: {
    title: "Mit Freunden spielen",
    what: "Lege ein Spiel an, verschicke den Link und beginne, wenn alle da sind. Niemand braucht ein Konto.",
    act: "Link holen",
  },
  tournaments: {
    what: "Turniere für Menschen und Bots, mit Tabellen, die mitlaufen, und einer großen Ansicht für den Saal.",
    act: "Zu den Turnieren",
  },
  api: {
    title: "Bots und API",
    what: "Alles auf dieser Seite geht über eine offene API. Schreibe einen Bot in irgendeiner Sprache und lass ihn um Wertungen spielen.",
    bots: "Einen Bot schreiben",
    docs: "Die API ausprobieren",
    openapi: "OpenAPI-Datei",
  },
  mine: "Deine Spiele",
  open: "Offene Spiele",
  all: "Alle Spiele",
  playNow: "Jetzt spielen",
  playNowWhy: (board) =>
    `${board} gegen Bots, etwa 5 Minuten, mit einer Lektion in deinen ersten Zügen.`,
  playOn: (board) => `Spielen: ${board}`,
  creating: {
    title: "Neues Spiel",
    open: "Offen, für alle",
    invite: (name) => `${name} einladen`,
    rating_from: "Offene Plätze: niedrigste Wertung",
    rating_to: "Offene Plätze: höchste Wertung",
    bot: (name) => `Bot: ${name}`,
    botLater: (name) => `Bot: ${name} (noch nicht bereit)`,
    notReady: (names) =>
      `${names.join(", ")}: wird noch vorbereitet; das Spiel geht weiter, sobald es so weit ist.`,
    addSeat: "Platz hinzufügen",
    removeSeat: (seat) => `Platz ${seat} entfernen`,
    more: "Weitere Einstellungen",
    clock: "Uhr",
    onTimeout: "Wenn die Zeit um ist",
    timeouts: { resign: "scheidet der Spieler aus", act: "wird für ihn gezogen" },
    visibility: "Wer es sieht",
    visibilities: { public: "alle", unlisted: "alle mit dem Link", private: "nur die Spieler" },
    first: "Wer beginnt",
    drawn: "wird ausgelost",
    unrated:
      "Nicht gewertet: Ein gewertetes Spiel dürfen alle sehen, wer beginnt, wird ausgelost, kein Bot sitzt zweimal darin, und mit einem Bot dauert es höchstens zwei Stunden.",
    play: "Spielen",
    watch: "Zuschauen",
    setUp: "Anlegen und auf Spieler warten",
  },
  asked: {
    title: "Für dich",
    accept: "Annehmen",
    decline: "Ablehnen",
    declineAll: "Alle ablehnen",
  },
  rows: {
    open: (count) => (count === 1 ? "1 Platz frei" : `${count} Plätze frei`),
    invited: "(eingeladen)",
    rating: (from, to) =>
      `für Wertungen${from === undefined ? "" : ` ab ${from}`}${to === undefined ? "" : ` bis ${to}`}`,
    aborted: "abgebrochen",
    yourTurn: "dein Zug",
    underWay: "läuft",
    waitsFor: "wartet auf",
  },
  lists: {
    more: "Mehr",
    join: "Mitspielen",
    any: "Alle",
    rated: "Gewertet",
    casual: "Nicht gewertet",
    playing: "Laufend",
    waiting: "Noch nicht begonnen",
    finished: "Beendet",
    none: { playing: "Kein Spiel läuft.", finished: "Noch ist kein Spiel beendet." },
    noneToJoin: {
      lobby:
        "Keine offenen Spiele. Lass in einem neuen Spiel einen Platz offen, dann steht es hier für alle.",
    },
    noneOfMine: {
      playing: "Du hast keine laufenden Spiele.",
      lobby: "Keines deiner Spiele wartet auf Spieler.",
      finished: "Du hast noch kein Spiel beendet.",
    },
  },
  now: {
    title: "Gerade gespielt",
    none: "Kein öffentliches Spiel läuft. Starte eines: Setze auf jeden Platz einen Bot, um ihnen zuzuschauen.",
  },
  joining: {
    facts: (least, most, trains, train, tickets) =>
      `Für ${least} bis ${most} Spieler. Alle haben ${trains}-mal ${train}; es gibt ${
        tickets
      } Zielkarten.`,
    waiting: (open) => (open === 1 ? "Ein Spieler fehlt noch" : `${open} Spieler fehlen noch`),
    sit: "Hinsetzen",
    leave: "Verlassen",
    free: "Platz freigeben",
    withdraw: "Einladung zurücknehmen",
    start: (count) => `Mit ${count} Spielern beginnen`,
    abort: "Spiel abbrechen",
    link: {
      all: "Alle dürfen mitspielen. Schicke ihnen diesen Link:",
      invited: "Nur wer diesen Link hat, darf mitspielen:",
    },
    byInvitation: "Nur auf Einladung: Frage den Gastgeber nach dem Link.",
    copy: "Kopieren",
    copied: "Der Link ist kopiert.",
    copyByHand: "Der Link ist markiert: Kopiere ihn jetzt.",
    invited: "Du bist zu einem Spiel eingeladen",
    invitedWhy: "Nur seine Spieler sehen es. Nimm einen Platz ein, um mitzuspielen.",
  },
  settings: {
    pace: "Züge der anderen zeigen",
    paces: {
      slow: "langsam, einen nach dem anderen",
      normal: "einen nach dem anderen",
      once: "auf einmal",
    },
    notifies: "Benachrichtige mich, wenn ich am Zug bin und woanders hinschaue",
    refused:
      "Dein Browser lehnt Benachrichtigungen dieser Seite ab: Erlaube sie in seinen Einstellungen.",
    chimes: "Spiele einen leisen Ton, wenn ich am Zug bin und woanders hinschaue",
  },
  who: {
    none: "Du hast noch kein Konto. Du bekommst eines, sobald du spielst, oder wähle zuerst einen Namen.",
    make: "Konto anlegen",
    load: "Hast du schon eines? Lade die Datei mit seinem Schlüssel:",
    loadWhy:
      "In einem anderen Browser speichert sie dieser Dialog. Auch eine Datei nur mit dem Schlüssel geht.",
    noToken: "In dieser Datei ist kein Schlüssel.",
    rename: "Ändern",
    renamed: "Name geändert.",
    kept:
      "Dieses Konto ist nur in diesem Browser gespeichert. Sichere seinen Schlüssel, um es anderswo zu benutzen oder falls " +
      "der Browser es vergisst. Wer den Schlüssel hat, kann in deinem Namen spielen.",
    download: "Schlüssel sichern",
    page: "Deine Spiele und Wertungen",
    invitations: "Einladungen an dich",
    out: "Abmelden …",
    outWhy:
      "Dieser Browser vergisst den Schlüssel. Ohne gesicherte Datei kann niemand das Konto je wieder benutzen.",
    outYes: "Abmelden",
    isOut: "Du hast dich abgemeldet.",
    delete: "Konto löschen …",
    deleteWhy:
      "Das Konto wird endgültig gelöscht und gibt seine laufenden Spiele auf. Die gespielten Spiele bleiben.",
    deleteYes: "Konto löschen",
    isDeleted: "Das Konto ist gelöscht.",
  },
};

/** @type {typeof import("./en.mjs").invitations} */
export const invitations = {
  open: "So viele dürfen höchstens auf deine Antwort warten",
  shortestClock: "Kürzeste Bedenkzeit, in Sekunden je Entscheidung",
  boards: "Bretter (alle, wenn keines gewählt ist)",
  saved: "Gespeichert.",
  blocked: "Gesperrt:",
  nobodyIsBlocked: "Niemand ist gesperrt. Auf der Seite jedes Spielers ist eine Taste dafür.",
};

/** @type {typeof import("./en.mjs").tournaments} */
export const tournaments = {
  what: "Der Dienst lost die Runden aus und legt die Spiele an; die Teilnehmer spielen nur.",
  how: "Wie Turniere ablaufen",
  inRoom: "Für einen Bildschirm im Saal",
  lists: { running: "Laufend", open: "Offen zur Anmeldung", finished: "Beendet" },
  none: {
    running: "Kein Turnier läuft.",
    open: "Kein Turnier ist offen zur Anmeldung.",
    finished: "Noch ist kein Turnier beendet.",
  },
  statuses: { open: "offen", running: "läuft", finished: "beendet" },
  description: "Beschreibung",
  rules: "Regeln des Wettbewerbs",
  format: "Format",
  formats: {
    round_robin: "Jeder gegen jeden",
    swiss: "Schweizer System",
    knockout: "K.-o.-System",
    ladder: "Leiter",
  },
  meaning: {
    round_robin: "Alle spielen gegen alle.",
    swiss: "Spieler mit gleichen Punkten treffen sich, möglichst nie zweimal.",
    knockout: "Wer einen Tisch gewinnt, kommt weiter.",
    ladder: "Spieler mit gleichen Punkten treffen sich, wie im Schweizer System.",
  },
  entrants: "Teilnehmer",
  entrant: "Teilnehmer",
  rounds: "Runden",
  starts: "Beginn",
  byHand: "wenn der Ausrichter es startet",
  changed: "Letzte Änderung",
  startsAt: "Beginnt",
  startedByHand: "Beginnt, wenn der Ausrichter es startet.",
  nextRound: "Die nächste Runde beginnt nicht vor",
  round: (round, of) =>
    round === "0" ? "Die erste Runde wird ausgelost." : `Runde ${round}${of && ` von ${of}`}`,
  endings: {
    complete: "Alle Runden sind gespielt.",
    too_few: "Es waren zu wenige Teilnehmer übrig.",
    ended: "Der Ausrichter hat es beendet.",
    expired: "Niemand hat es rechtzeitig gestartet.",
  },
  setUp: "Turnier anlegen",
  asItComes: "Vorgabe",
  perDecisionIn: "Sekunden je Entscheidung",
  duplicateDeals: "Gleiche Karten: Jeder Tisch spielt dieselben Karten einmal von jedem Platz",
  byInvitation: "Auf Einladung: Die Anmeldung braucht einen Code",
  botsToo: "Eingebaute Bots, die mitspielen",
  settings: "Einstellungen",
  seats: "Plätze an einem Tisch",
  of: (some, all) => `${some} von ${all}`,
  entry: "Anmeldung",
  entries: { open: "offen für alle", invitation: "auf Einladung", closed: "geschlossen" },
  clock: "Uhr",
  timeouts: {
    resign: "wer länger braucht, scheidet aus",
    act: "wenn die Zeit um ist, wird für den Spieler gezogen",
  },
  creator: "Angelegt von",
  duplicate:
    "Gleiche Karten: Jeder Tisch spielt dieselben Karten einmal von jedem Platz, alles zugleich, damit Glück " +
    "weniger zählt. Die Spiele bleiben für andere verborgen, bis alle beendet sind.",
  actions: "Teilnehmen",
  code: "Einladungscode",
  link: "Einladungslink",
  enter: "Am Turnier teilnehmen",
  entered: "Du nimmst teil.",
  leave: "Zurückziehen",
  start: "Jetzt beginnen",
  standings: "Tabelle",
  nobody: "Noch nimmt niemand teil.",
  tables: "Tische",
  won: "Gewonnene Spiele",
  opponentsMean: "Die Punkte aller Gegner: entscheidet zuerst bei Gleichstand",
  forfeits: "Aufgaben",
  byes: "Freilose",
  meanTotal: "Mittlere Summe",
  interval: "Abstand, mit Intervall",
  to: "bis",
  marginMeans:
    "Abstand: Punkte über dem Mittel des Tisches, über alle Karten, die alle zu Ende gespielt haben. Der Punkt ist " +
    "der Abstand, die Linie sein 95-%-Konfidenzintervall.",
  withdrawn: "zurückgezogen",
  absent: "abwesend",
  downloads: { "standings.csv": "Rangliste als Tabelle (CSV)", "archive.zip": "Alle Spiele (zip)" },
  provisional: "Die Tabelle ist vorläufig bis",
  disqualified: "Disqualifiziert:",
  reinstated: "Disqualifikation aufgehoben:",
  removed: "Vor dem Beginn entfernt:",
  endedEarly: "Vom Ausrichter vorzeitig beendet",
  annulled: "Vor der Hälfte der Tische ausgeschieden; die gespielten zählen für niemanden:",
  organising: {
    title: "Für den Ausrichter",
    edit: "Name, Beschreibung und Regeln ändern",
    reason: "Grund",
    reasonIfAny: "Grund (freiwillig)",
    entry: "Ändern, wer teilnehmen darf",
    remove: "Teilnehmer entfernen",
    keepOut: "Kein Konto desselben Besitzers darf wieder teilnehmen",
    disqualify: "Teilnehmer disqualifizieren",
    seen: "Alle sehen den Grund. Der Teilnehmer wird Letzter und spielt keine weitere Runde.",
    reinstate: "Jemanden wieder zulassen",
    archive: "Alle Spiele herunterladen (zip)",
    archiveMeans: "Bis die Tabelle endgültig ist, kannst nur du sie hier herunterladen.",
    callOff: "Turnier absagen",
    callOffMeans: "Es beginnt nicht. Alle sehen den Grund.",
    end: "Turnier beenden",
    endMeans:
      "Die laufende Runde wird zu Ende gespielt. An Zweiertischen ist die Zahl der Runden gerade, also folgt eventuell noch eine. Alle sehen den Grund.",
  },
  roundOn: (round, board) => `Runde ${round}: ${board}`,
  tablesOver: (over, all) => `${over} von ${all} Tischen beendet`,
  table: (table) => `Tisch ${table}`,
  game: (game) => (game ? `Spiel ${game}` : "Spiel"),
  watch: (game) => (game ? `Spiel ${game} ansehen` : "Ansehen"),
  play: (game) => (game ? `Spiel ${game} spielen` : "Spielen"),
  playing: "läuft",
  soFar: "bisher",
  sealed: "läuft, verdeckt",
  winner: "(Erster)",
  leaving: { resigned: "aufgegeben", time: "Zeit überschritten" },
  bye: "Freilos:",
};

/** @type {typeof import("./en.mjs").leaderboards} */
export const leaderboards = {
  what: "Wertungen folgen aus beendeten Spielen.",
  how: "Wie Wertungen berechnet werden",
  players: "Spieler",
  settled: "Gefestigt",
  bots: "Eingebaute Bots",
  botPlot: "Ergebnisse",
  of: (board) => `Rangliste: ${board}`,
  onlyActive: (days) => `nur in den letzten ${days} Tagen aktive`,
  onlySettled: "nur gefestigte Wertungen",
  you: (rank, rating) => `Du bist Nummer ${rank}, mit der Wertung ${rating}.`,
  player: "Spieler",
  rating: "Wertung",
  interval: "Sicherheit",
  provisional: "vorläufig",
  provisionalMeans: "Zu wenige gewertete Spiele gegen gefestigte Spieler",
  last: "Zuletzt gespielt",
  nobody: "Hier ist noch niemand gewertet.",
  between: (low, middle, high) => `von ${low} bis ${high}, wahrscheinlich ${middle}`,
  barMeans:
    "Der Punkt ist die geschätzte Stärke (mu), die Linie ihre Unsicherheit: drei Sigma nach beiden Seiten. Das linke " +
    "Ende ist die Wertung: die Stärke, die der Spieler fast sicher hat.",
};

/** @type {typeof import("./en.mjs").players} */
export const players = {
  builtIn: "eingebauter Bot",
  of: "von",
  you: "du",
  invite: "Zu einem Spiel einladen",
  block: "Sperren",
  unblock: "Entsperren",
  blockMeans:
    "Wer gesperrt ist, kann dich nicht einladen und in deinen Spielen nicht mitspielen, auch nicht durch Bots.",
  isBlocked:
    "Gesperrt: Dieser Spieler und seine Bots können dich nicht einladen und in deinen Spielen nicht mitspielen.",
  more: "Mehr zeigen",
  since: "dabei seit",
  version: "Version",
  ratings: "Wertungen",
  noRating: "Noch keine gewerteten Spiele.",
  overTime: "Wertung im Verlauf",
  plot: (board) => `Wertung im Verlauf: ${board}`,
  ratedGames: "Gewertete Spiele",
  before: "vor diesen Spielen",
  after: (at, rank) => `${at}, Platz ${rank}`,
  point: (when, rating, mu, sigma) => `${when}: Wertung ${rating}, mu ${mu} ± ${sigma}`,
  mu: "mu, die wahrscheinlichste Stärke",
  sigma: "ein Sigma nach beiden Seiten",
  rating: "Wertung: mu − 3 Sigma",
  latestRated: (count) => `Die letzten ${count} gewerteten Spiele als Tabelle`,
  allRated: "Alle gewerteten Spiele als Tabelle",
  day: "Wann",
  weight: "Gewicht",
  opponents: "Gegner",
  opponent: "Gegner",
  gamesAgainst: (games, name) => `${games} Spiele gegen ${name}`,
  drawn: "Unentschieden",
  lost: "Verloren",
  shares: "Gewonnen gefüllt, unentschieden schraffiert, verloren leer",
  margin: "Abstand",
  marginMeans: "Wie viele Punkte mehr als der andere, im Mittel",
  nobodyMet: "Noch keine Gegner.",
  against: (one, other) => `\u2068${one}\u2069 gegen \u2068${other}\u2069`,
  allOpponents: "Alle Gegner",
  neverMet: "Sie sind sich in keinem öffentlichen Spiel begegnet.",
  round: (round) => `Runde ${round}`,
  game: "Spiel",
  noGames: "Noch keine öffentlichen Spiele.",
  statuses: { lobby: "wartet", playing: "live", finished: "beendet", aborted: "abgebrochen" },
  conduct: "Verhalten",
  finished: "Beendete Spiele",
  resigned: "Aufgegeben",
  timedOut: "Durch Zeit verloren",
  aborted: "Abgebrochen",
  decisions: "Entscheidungen",
  timeouts: "Zeit überschritten",
  faults: "Abgelehnte Aktionen",
  latency: "Bedenkzeit",
  times: (median, p95) => `Median ${median}, 95 % innerhalb von ${p95}`,
};

/** @type {typeof import("./en.mjs").posters} */
export const posters = {
  players: (least, most) => `${least} bis ${most} Spieler`,
  boards: [
    {
      level: "Für das erste Spiel",
      lasts: "5 Minuten",
      special: "Klein und schnell. Wer alle Orte eines Bezirks verbindet, bekommt Punkte dazu.",
    },
    {
      level: "Für das zweite Spiel",
      lasts: "5 Minuten",
      special:
        "Kurze Strecken, viel Gedränge. Je eine blaue, weiße und rote Karte von deinen Strecken ergeben eine Flagge: 4 Punkte.",
    },
    {
      level: "Der Klassiker",
      lasts: "15 Minuten",
      special:
        "Mit 45 Zügen von Küste zu Küste. Der längste Weg bringt 10 Punkte. 30 Zielkarten, bald kennst du sie alle.",
    },
    {
      level: "Klassiker mit Überraschungen",
      lasts: "15 Minuten",
      special: "Die Karte von USA mit 69 statt 30 Zielkarten: Niemand errät, wohin du willst.",
    },
    {
      level: "Für alte Hasen",
      lasts: "20 Minuten",
      special:
        "Tunnel fordern manchmal mehr Karten, Fähren brauchen Lokomotiven, und ein Bahnhof leiht dir die Strecke eines anderen.",
    },
  ],
};

/** @type {typeof import("./en.mjs").boards} */
export const boards = {
  play: "Spiel beginnen",
  leaderboard: "Rangliste",
  numbers: "In der Schachtel",
  rules: "Geltende Regeln",
  statistics: "Statistik",
  trains: (piece) =>
    piece && piece !== "train" ? `Wagen (${piece}) je Spieler` : "Wagen je Spieler",
  hand: "Karten zu Beginn",
  deck: "Stapel",
  cards: (count) => `${count} Karten`,
  deckOf: "Karten jeder Farbe",
  pointsOf: "Punkte einer Strecke",
  atStart: "Zielkarten zu Beginn",
  onATurn: "Zielkarten in einem Zug",
  offer: (deal, long, keep) =>
    `${deal}${long ? ` und ${long} lange` : ""}, mindestens ${keep} behalten`,
  removed: "; die abgelehnten scheiden aus",
  locations: "Orte",
  routes: "Strecken",
  tickets: "Zielkarten",
  or: " oder ",
  then: ", dann ",
  rule: "Regel",
  allRules: "Alle Regeln, nummeriert",
  doubles: "Doppelstrecken.",
  doublesClosed: (players) => `Bei ${players} Spielern wird je nur ein Gleis genutzt.`,
  ties: "Gleichstand",
  tieBreaks: {
    tickets_completed: "entscheiden die meisten erfüllten Zielkarten",
    stations: "die wenigsten gebauten Bahnhöfe",
    longest_path: "der Besitz des längsten Weges",
    longest_path_length: "der längere Weg",
  },
  ruleNames: {
    longest_path: "Längster Weg",
    stations: "Bahnhöfe",
    tunnels: "Tunnel",
    ferries: "Fähren",
    districts: "Bezirke",
    flags: "Flaggen",
  },
  color: "Farbe",
  length: "Länge",
  kindOf: "Art",
  double: "doppelt",
  long: "lang",
  set: "Satz",
  between: "Zwischen",
  claimed: "Genutzt",
  claimedIn: (share) => `in ${share} der Spiele genutzt`,
  kept: "Behalten",
  completed: "Erfüllt",
  search: "Nach Ort suchen",
  found: (routes, tickets) => `${routes} Strecken, ${tickets} Zielkarten`,
  noneFound: "Keine.",
  sort: "Danach ordnen",
  notPlayed: "Auf diesem Plan ist noch kein Spiel beendet.",
  gamesOver: (games) => (games === "1" ? "1 Spiel beendet:" : `${games} Spiele beendet:`),
  withSeats: (games, seats) => `${games} mit ${seats} Plätzen`,
  byKind: "Ergebnisse nach Art der Spieler und Zahl der Plätze",
  kinds: { person: "Menschen", external: "Andere Bots" },
  meanScore: "Mittlere Punkte",
  played: "Gespielte Plätze",
};
