<?php
// Plays an event through the client that openapi-generator made in the folder named first, and prints its places.

use OpenAPI\Client\Api\{StagesApi, TablesApi, TournamentsApi};
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\{EnterPlayersRequest, PlanEventRequest, RecordRoundRequest, SeatStageRequest};

[, $folder, $url, $token] = $argv;
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($folder): void {
    require $folder . '/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
});

Configuration::getDefaultConfiguration()->setHost($url)->setAccessToken($token);
[$tournaments, $stages, $tables] = [new TournamentsApi(), new StagesApi(), new TablesApi()];

function key_of_command(): string
{
    return implode('-', sscanf(bin2hex(random_bytes(16)), '%8s%4s%4s%4s%12s'));
}

$plan = ['name' => "PHP's night", 'starts_on' => new DateTime('2026-05-09'), 'ruleset' => 'mattel-108'];
$plan['stages'] = [['kind' => 'match', 'settings' => ['target' => 100]]];
$tournament = $tournaments->planEvent(key_of_command(), new PlanEventRequest($plan))->getMade();
$stage = $tournaments->stagesRead($tournament)->getResults()[0]->getUid();
$players = ['players' => [['public_name' => 'Aino'], ['public_name' => 'Börje']]];
$entered = $tournaments->enterPlayers(key_of_command(), $tournament, new EnterPlayersRequest($players));
[$aino, $borje] = $entered->getEntries();
$seats = ['tables' => [['number' => 1, 'entries' => [$aino, $borje]]]];
[$table] = $stages->seatStage(key_of_command(), $stage, new SeatStageRequest($seats))->getTables();
$stages->startStage(key_of_command(), $stage);
foreach ([1, 2] as $number) {
    $round = ['number' => $number, 'winner' => $aino, 'hands' => [$borje => ['wild' => 1]]]; // 50 points
    $tables->recordRound(key_of_command(), $table, new RecordRoundRequest($round));
}
$stages->finishStage(key_of_command(), $stage);
$places = $stages->standingsRead($stage)->getStandings();
echo implode(', ', array_map(fn($row) => "{$row->getPlace()} {$row->getPublicName()}", $places)), "\n";
