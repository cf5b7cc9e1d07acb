// Plays an event through the client that openapi-generator made in ./client, and prints its places.

import { Configuration, StagesApi, TablesApi, TournamentsApi } from "./client";

declare const process: { argv: string[] };
declare const crypto: { randomUUID(): string };

const [basePath, accessToken] = process.argv.slice(2);
const configuration = new Configuration({ basePath, accessToken });
const tournaments = new TournamentsApi(configuration);
const stages = new StagesApi(configuration);
const tables = new TablesApi(configuration);
const key = () => ({ idempotencyKey: crypto.randomUUID() });

const play = async () => {
  const plan = {
    name: "TypeScript's night",
    startsOn: new Date("2026-05-09"),
    ruleset: "mattel-108" as const,
    stages: [{ kind: "match" as const, settings: { target: 100 } }],
  };
  const tournament = (await tournaments.planEvent({ ...key(), planEventRequest: plan })).made!;
  const stage = (await tournaments.stagesRead({ tournament })).results[0].uid;
  const players = [{ publicName: "Aino" }, { publicName: "Börje" }];
  const { entries } = await tournaments.enterPlayers({ ...key(), tournament, enterPlayersRequest: { players } });
  const seats = { tables: [{ number: 1, entries }] };
  const [table] = (await stages.seatStage({ ...key(), stage, seatStageRequest: seats })).tables;
  await stages.startStage({ ...key(), stage });
  for (const number of [1, 2]) {
    const round = { number, winner: entries[0], hands: { [entries[1]]: { wild: 1 } } };
    await tables.recordRound({ ...key(), table, recordRoundRequest: round });
  }
  await stages.finishStage({ ...key(), stage });
  const { standings } = await stages.standingsRead({ stage });
  console.log(standings.map((row) => `${row.place} ${row.publicName}`).join(", "));
};

play();
