// Prints how the texts of a language, a module, differ from those of English, another: what is missing,
// what is too much, and what a sentence leaves out of what it is given.
// node languages.mjs ENGLISH OTHER
const [english, other] = await Promise.all(process.argv.slice(2).map(async (path) => import(path)));
const wrong = [];

/** What a sentence has of what it is given; "" where it takes something else. */
function said(sentence, given) {
  try {
    const text = String(sentence(...given));
    return given.filter((one) => text.includes(String(one))).join(" ");
  } catch {
    return "";
  }
}

/** Several of what sentences are given: words, numbers, lists, flags among them. */
const GIVEN = [
  ["@a", "@b", "@c", "@d", "@e", "@f"],
  [71, 72, 73, 74, 75, 76],
  [["@a"], ["@b"], ["@c"], ["@d"], ["@e"], ["@f"]],
  ["@a", 72, true, true, "@e", "@f"],
  ["@a", "@b", 73, false, false, "@f"],
];

function compare(one, same, path) {
  if (typeof one !== typeof same) {
    wrong.push(`${path.replace(/\.$/, "")}: is ${typeof same}, not ${typeof one}`);
  } else if (typeof one === "function") {
    for (const given of GIVEN) {
      const [wanted, actual] = [one, same].map((sentence) =>
        said(sentence, given.slice(0, one.length)),
      );
      if (wanted !== actual) {
        wrong.push(`${path}: says "${actual}" of ${given.slice(0, one.length)}, not "${wanted}"`);
        break;
      }
    }
  } else if (typeof one === "object" && Object.keys(one).length) {
    // one that is empty is each language's own
    for (const name of new Set([...Object.keys(one), ...Object.keys(same)])) {
      if (!(name in same)) wrong.push(`${path}${name}: lacks`);
      else if (!(name in one)) wrong.push(`${path}${name}: is no text of the page`);
      else
        compare(one[name], same[name], `${path}${name}${typeof one[name] === "object" ? "." : ""}`);
    }
  }
}

compare(english, other, "");
console.log(JSON.stringify(wrong));
