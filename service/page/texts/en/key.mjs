/** What the signs on the map mean. */

const key = {
  title: "Key to the map",
  close: "Close",
  cards: "Cards",
  /** @param {string} name */
  wild: (name) => `${name}: stands for any colour`,
  routes: "Tracks that are free",
  /** @param {string} color @param {string} wild */
  colored: (color, wild) => `Takes cards of its colour, here ${color}, one for each space; a ${wild} stands for any. `
    + "The spaces show the cards' symbol from near.",
  grey: "Grey: takes cards of any one colour.",
  /** What marks of routes mean that this page draws in a way of its own; of others it says what their
   * board declares. @type {Record<string, (wild: string) => string>} */
  marks: {
    ferry: (wild) => `Ferry: for each space with this star a ${wild} has to be among the cards.`,
    tunnel: () => "Tunnel, with dashed edges: three cards are turned up as one pays, and may ask for more.",
  },
  /** @param {number[]} counts */
  double: (counts) => `Two tracks between the same two: nobody may claim both.${counts.length
    ? ` With ${counts.join(" or ")} players only one of them is used.` : ""}`,
  places: "Places",
  /** @param {string} location */
  location: (location) => `A ${location}.`,
  /** @param {string} location @param {string} district @param {number} number */
  district: (location, district, number) => `A ${location}; number and colour are those of its ${district}, here ${number}.`,
  seats: "Who has what",
  /** @param {number} seat */
  seat: (seat) => `Seat ${seat}`,
  seatsOfGame: "Each seat has a number, a pattern for its wagons, and a line in the plot of the scores.",
  seatsOfBoard: "Each seat has a number, and a pattern for its wagons.",
  /** @param {string} station */
  station: (station) => `A ${station}, with its owner's pattern and number.`,
  /** @param {string} flag */
  flag: (flag) => `A card beside a seat's name: it is kept for the ${flag}.`,
  lights: "What is lit",
  can: "You can pay for it, and may claim it now.",
  cannot: "Not lit: you cannot claim it now.",
  chosen: "Chosen, or pointed at in a list.",
  /** @param {string} ticket */
  wanted: (ticket) => `Still lacking: the shortest way for the ${ticket} that is pointed at.`,
  /** @param {string} ticket */
  done: (ticket) => `Done: what you have of that way, or what completes a ${ticket}.`,
  /** @param {string} ticket */
  ends: (ticket) => `The ends of a ${ticket} that is pointed at.`,
  /** @param {string} ticket */
  missed: (ticket) => `The ends of a ${ticket} that was missed, or can be completed no more.`,
  /** @param {string} station */
  borrowed: (station) => `Another's track that a ${station} lets one use.`,
  traced: "In the final scoring: the way that counts.",
};

export const en = { key };
