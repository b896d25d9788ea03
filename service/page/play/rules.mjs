/** The text of a rule by its number, from the rules that the service serves. */

/** @type {Promise<string> | undefined} */ let rules;

/** A rule's text, and where it stands. @param {string} number */
export async function rule(number) {
  rules ??= fetch("/docs/rules.md", { headers: { Accept: "text/markdown" } }).then((answer) =>
    answer.ok ? answer.text() : "",
  );
  const paragraphs = (await rules.catch(() => "")).split(/\n\n+/);
  const heading = paragraphs.find((text) => text.startsWith(`## ${number.split(".")[0]} `)) ?? "";
  const paragraph = paragraphs.find((text) => text.startsWith(`**${number}**`)) ?? "";
  const anchor = heading
    .replace(/^## /, "")
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  return {
    text: paragraph
      .slice(number.length + 4)
      .replace(/\*+/g, "")
      .replace(/\s+/g, " ")
      .trim(),
    link: `/docs/rules.md${anchor && `#${anchor}`}`,
  };
}
