// How people ask for the rules in Swedish: see ../rule_search.js and en.js.

export { stemmer } from "../../../vendor/orama-stemmers-3.1.18/sv.js";

export const NUMBERS = {
  två: "2", "tvåa*": "2", "tvåor*": "2", båda: "2", bägge: "2", tre: "3", "trea*": "3", fyra: "4", "fyran*": "4", fyror: "4", fem: "5", sex: "6",
  sju: "7", åtta: "8", nio: "9", tio: "10",
};

/** Words that say nothing about a rule, also not in a phrase. */
export const FILLER = `en ett den det de dem då du jag vi ni han hon hen man min mina din ditt sin sitt sina hans hennes deras vår som att och eller men så kan
kunde ska skall skulle får fick är var varit bli blir blev göra gör gjort gjorde någon nån något några vems ju väl nog även också ens visst
egentligen hej snälla liksom typ alltså`;

/** Words that only say something in a phrase. */
export const FAINT = `vara haft hade ha har vill bara här där om mitt kort kortet korten kortens spel spelet spelar spela spelare spelaren spelade lägga lägger lägg lagt la lade ut på i av till för med från över
efter före innan vid under mot hur vad vilka vilket vilken vem när varför vart regel regler regeln reglerna säger händer hände gäller tillåtet lagligt
måste ok okej folk bord bordet alla nu igen sen sedan behöver tar ta kommer kom går gå sätta sätter finns fast många mycket inte`;

export const PARAGRAPH = "paragraf, paragrafen, regel, specialsituation, specialsituationen, situation, punkt, nummer, avsnitt, nr";

/** @type {Record<string, string>} */
export const MEANS = {
  draw2: "2a, ta 2, tar 2, dra 2, drar 2, plus 2, plocka 2, plocka upp 2, ta upp 2, draw 2, plustvå, dratvå, tatvå, på 2, 2 kortet",
  wild4: "ta 4, tar 4, dra 4, drar 4, plus 4, plocka 4, plocka upp 4, ta upp 4, draw 4, joker 4, dra 4 joker, ta 4 joker, svart 4, vild 4, plusfyra, \
drafyra, tafyra, plus 4 joker, plus 8, wild 4",
  reverse: "vänd, vända, vändkort, vändning, vänder, omvänd, riktningsbyt, byt riktning, byta riktning, byter riktning, bytt riktning, reverse, \
byt håll, byta håll, byter håll, tillbakapil, pilar",
  skip: "hoppa över, hoppar över, hoppas över, hoppkort, stopp, stoppkort, stå över, står över, skip, skippa, överhopp, stop",
  wild: "joker, jokern, jokrar, vild, vilt kort, vilda, färgbyt, byta färg, byt färg, byter färg, wild, välja färg, väljer färg, valfri färg, \
bytte färg",
  black: "svart, svarta",
  special: "special, specialkort, actionkort, symbolkort, symbol, symboler, bildkort, effekt, funktionskort",
  number: "siffer, sifferkort, siffra, siffror, nummer, nummerkort, vanliga kort, vanligt kort, tal",
  zero: "0, noll, nolla, nollor",
  colour: "färg, färgen, färger, röd, rött, grön, grönt, blå, blått, gul, gult",
  shufflehands: "blanda händ, blanda hand, blanda allas, blandar händ, blanda alla, blandkort, blanda kort, shuffle, blanda om händ, \
alla händer blandas",
  swaphands: "byta händ, byt händ, byter händ, byta hand, byta kort, byter kort, byta alla kort, byt kort, byte",
  custom: "anpass, tomt kort, tomma kort, tomma, tomt, blankt, blanka, blank, vita kort, vitt kort, egen regel, egna regler på, skriva, skriv, blyert, \
hitta på, påhitt, custom",

  stack: "stapl, stapel, kedj, kedja, stacka, stack, stapling, bygga på, bygga vidare, lägga på, lägger på, på varandra, ovanpå, på annan, på 2, \
på plus, på ta, på dra, skicka vidare, vidare, svara med, svara, kontra, hopa, \
samla på hög, öka på, lägga till, fylla på, passa vidare, slå tillbaka",
  several: "flera, fler, mer än 1, många kort, på gång, på 1 gång, samtidigt, samma gång, samma tur, tillsammans, dubbel, dubbla, trippel, 2 kort, \
3 kort, par, 2, 3, 1 tur, gången, i svep, combo, ihop, samtliga",
  samecard: "samma kort, likadan, likadana, identisk, exakt samma, samma siffra, samma nummer, samma värde, lika kort, exakt, samma, matchande, \
dubblett, lika",
  jumpin: "hoppa in, hoppar in, inhopp, sidoinlägg, sidinlägg, mellanslag, mellaninlägg, smita in, tränga, kila in, lägga emellan, emellan, avbryta, \
jump, jump in, slänga in, skjuta in, slå in, slide, sidslag",
  outofturn: "fel tur, fel ordning, utanför tur, utom tur, inte tur, annans tur, annan tur, annan spelares tur, fel spelare, i förväg, för tidigt, \
utan, ur tur, före tur, spelade fel, fel person, fel håll, utan tur, trots inte tur, innan tur, fast inte tur, otur",
  fits: "passar, passa, stämmer, matchar, vad lägga, lägga på, samma färg, samma symbol, spelbart, vilket kort, vilka kort, översta kort, spelets gång, \
grund, spelbar, går lägga, läggbart",
  turn: "tur, turen, turer",
  losesturn: "stå över, står över, förlora tur, förlorar tur, mister tur, miste tur, nästa spelare, tappa tur, missar tur, nästa",
  draw: "dra, drar, dra kort, drar kort, ta upp, plocka, plockar, ta kort, dragit, drog, tar upp, drag, köpa, köper",
  cannot: "inte lägga, inget passar, inget kort, inga kort, ingenting, inget, saknar, tills, ända tills, går inte, inte passar, inget spelbart, ej, \
inte spela",
  drawn: "just drog, just dragit, nyss drog, nyss, draget kort, dragna, drog nyss, uppdrag, uppdraget, kortet drog, just tog, precis drog, drog, \
draget",
  must: "måste lägga, måste spela, tvungen, tvingad, obligator, frivilligt, frivillig, vill inte, inte vill, avstå, passa, låta, behålla kort, \
spara kort",
  needless: "onödan, onödig, onödigt, taktisk, taktiskt, med flit, medvetet, fastän, trots, utan anledning, utan orsak, frivillig, samla kort, dra mer, \
dra fler, dra extra, hade kunnat, ha lagt, kunnat lägga, hade kort, fast passade, vill inte lägga, avsikt, spara, fast har, trots har, även om, \
fast kort",
  suspect: "misstänk, misstanke, misstro, misstän, anklaga, tvivla, beskyll",
  challenge: "utman, utmana, utmaning, bluff, bluffa, bluffade, ljög, ljuger, ljuga, ljugit, syna, synar, hade färg, hade färgen, haft färg, \
hade annat kort, hade andra kort, lögn, färgen på hand, hade rött, hade blått, hade grönt, hade gult, hade röda, hade något",
  illegal: "fel kort, felaktig, felaktigt, olaglig, otillåtet, misstag, av misstag, råkade, ogiltig, inte tillåt, regelbrott, inte lägg, lade fel, \
la fel, fel lagt",
  right: "med rätta, hade rätt, har rätt, rätt, rätta, skyldig, lyckad, stämde, lyckas, ertappad, åkte fast",
  wrong: "orätt, med orätt, fel utman, fel, hade fel, misslyckad, misslyck, oskyldig, felaktig, förlorar utmaning, förlorad, inte skyldig, obefog",
  onlywhen: "när tillåtet, villkor, bara när, bara om, när helst, endast, när lägga, krav, när",
  showhand: "visa, visar, visas, visa hand, visa kort, visa upp, se hand, vem se, avslöja, blotta",
  hand: "hand, händer, handen, kort på handen, kvarvarande kort, vart kort, vad händer med kort, korten kvar",
  takeback: "ta tillbaka, tar tillbaka, tillbaka, ångra, ångrar",

  uno: "uno, unot, säga uno, ropa uno",
  forgot: "glöm, glömde, glömt, glömma, sa inte, säger inte, inte sa, inte sagt, sade inte, inte säg, utan säga, missade säga, försent, för sent, \
ropade inte, inte ropa, inte ropat, osagt, tyst, säga inte, aldrig sa, inte, missat",
  unclear: "otydlig, otydligt, mumla, mumlade, mumlar, viska, viskade, viskar, tyst, för tyst, svagt, hördes inte, hör inte, hörde, högt, ingen hörde, \
hörs, lågt, tydlig, tydligt",
  seconds: "sekund, sekunder, hur snabbt, snabbt, hur fort, fort, hur snart, i tid, när säga, när måste säga, 3 sek, när ropa",
  onecard: "1 kort, 1 kort kvar, kort kvar, näst sista, näst, enda kort, bara kort kvar, näst sist",

  deck: "lek, leken, lekar, kortlek, kortlekar, kortpack, ask, behövs, utrustning, leker",
  players: "hur många spelare, antal spelare, antalet spelare, för spelare, 6 spelare, 7 spelare, 8 spelare, 9 spelare, 10 spelare, 12 spelare, \
personer, många spelare, deltagare",
  cardcount: "hur många kort, antal kort, antalet kort, hur många finns, hur många, antal, antalet, minst kort, färre kort, färst",
  takenout: "tas bort, ta bort, plockas bort, plocka bort, tas ut, bort, används inte, inte med, inte används, sorteras, rensa, utan, ingår inte, \
inte vara, ingår, tar bort",
  worth: "värd, värt, värde, värda, poäng för, hur många poäng, kortpoäng, kortens värde, ger för, hur mycket, poängvärde, poäng ger",
  points: "poäng, poängen, poängräk, poängsätt",
  count: "räkna, räknas, räknar, räkn, summera, beräkna, poängräk, räkning, läggs ihop, räknesätt, adder, summa, totalpoäng",
  target: "poänggräns, mål, gräns, 500, 250, hur många poäng vinner, hur många poäng behövs, hur många poäng för vinna, poäng vinner, till hur många, \
vinner matchen, först till, upp till, spelar till, behövs för vinna, slutpoäng",
  agreed: "komma överens, kommer överens, överens, avtal, avtala, annan gräns, annat mål, ändra gräns, ändra mål, byta gräns, annan poäng, 300, 200, \
bestämma själva",
  change: "ändra, ändras, ändrat, byta, senare",
  lowest: "lägst, lägsta, minst poäng, minst, färst poäng, minus, egen hand, egna poäng",
  alternative: "alternativ, annat sätt, andra sätt, andra räkne, egen hand, egna poäng, annat räkne",
  average: "snitt, snittet, medel, medelvärde, genomsnitt, medeltal, delat, delas med, delas",
  session: "session, serie, spelserie, kväll, hela kvällen, totalt, slutresultat, slutställ, sammanlagt, alla partier, tävling, turnering",
  fewestgames: "minst antal partier, hur många partier, tillräckligt många, för få, få partier, färre partier, minsta antal, bara 1 parti, bara parti, \
antal partier, antal spel, hur många spel, tillräckligt",
  absent: "frånvar, missat, inte med, borta, missade, inte spelat, uteblev",
  minutes: "minut, minuter, hela minuter, avrund, avrundas",
  samesecond: "samma sekund, samtidigt, samma gång, samma tid ut",
  place: "plats, placering, placeringen, plac, rank, ranking, ordning, vem bäst, bättre, bäst, ställning, position",
  second: "andra plats, tvåa i, andra plac, trea, övriga plac, tredje, andraplats, bakom vinnar, kommer 2, blir 2, vem 2, kommer tvåa",
  level: "lika, oavgjort, lika många, lika poäng, samma poäng, delad plats, delad, delar plats, jämnt, jämn, dött lopp, samma antal, samma resultat, \
skilja, lika högt, samma högsta, lika mycket, samma snitt, samma placering",
  highest: "högst, högsta, störst, största, högsta kort, drar om, lika högt",

  dealer: "utdelar, ger, vem delar, dealer, vem ger, vem blandar, delar ut, given, giv",
  deal: "dela ut, delar ut, delas ut, utdelning, dela, giv, ge kort, ger kort, ge, starthand, delade, börja med, börjar med",
  handsize: "hur många kort, hur många kort delas, hur många kort börjar, hur många kort i början, hur många kort ger, 7 kort, starthand, kort per, \
hur många kort har, hur många kort från början, hur många kort vid start",
  shuffle: "bland, blanda, blandar, blandas, blandat, blandning",
  nextgame: "nästa omgång, nästa parti, nästa spel, nästa runda, ny omgång, nytt parti, nytt spel, ny runda, efter omgång, efter parti, gång till, \
mellan parti, nästa giv, spela igen, mellan spelen, parti till",
  start: "start, starta, början, inled, förbered, börja, öppna, öppnar, börjar, innan spelet",
  whostarts: "vem börjar, vem startar, vem inleder, först, vem först, vem spelar först, börjar spelet, första tur, startspelare, vem går först, börjar, \
börja, vem börja, vem öppnar",
  firstcard: "första kort, första uppvända, uppvänd, vänds upp, vänd upp, startkort, startkortet, öppningskort, ligger först, kort i början, \
först vänds, inledande kort, vänder upp, kortet vänds, vändes upp, vända upp, utgångskort, börjar med",
  clockwise: "medsols, motsols, medurs, moturs, vänster, höger",
  direction: "riktning, håll, spelriktning, medsols, motsols, medurs, moturs, åt vilket håll, vilket håll, vilken riktning, turordning, turordningen, \
ordning, vänster höger",
  twoplayers: "2 spelare, 2 kvar, bara 2, 2 personer, på tu, duell, två kvar, när 2, 2 stycken",
  drawpile: "draghög, draghögen, hög, högen, leken, lek, talong, köphög, plockhög, dragleken, dra från",
  discardpile: "kasthög, slänghög, kastleken, läggehög, spelhög, kasthögen",
  empty: "tom, slut, tar slut, tog slut, inga kort kvar, slut på kort, räcker inte, tagit slut, kort slut, tömd, inga fler, inga fler kort, \
inga kort att dra, kort att dra, inget att dra, finns inga kort",
  oldest: "äldst, äldsta, äldre, gamlast",
  youngest: "yngst, yngsta, yngre",
  roles: "roll, roller, uppgift, ansvar, plikt, sköter, ansvarar, tar över, skyldighet",
  neighbour: "granne, bredvid, sitta, sitter, sittplats, vänster om, grannar, plats vid",
  takepart: "delta, deltar, vara med, röra, rör vid, vilka spelar, anmäl, delta i, vill vara med",
  seecards: "kika, kikar, kikade, tjuvkika, titta på kort, tittar på, se kort, ser kort, andras kort, sneglar, snegla, såg, tjuvtitt, tittade, spiona, \
visar kort",
  ordinary: "vanliga regler, vanliga, officiel, officiella, normal, standard, mattel, ordinarie, original",
  houserules: "husregel, husets regler, egna regler, hemma, 7 0, hemregel, hemmaregel",

  lastcard: "sista kort, sista, sist, slutkort, gå ut på, gå ut med, går ut på, går ut med, gick ut på, gick ut med, gick ut, sluta på, sluta med, \
slutar med, slutar på, vinna med, vinna på, vinner med, vinner på, avsluta, avslutar, avslut, gå i mål, slutar, sluta, bara svart, svart kvar, \
bara svarta, svart kort kvar, vann med, vann på, har bara, bara har, hade bara, kvar på hand, enda kort, inget annat än, bara joker",
  out: "ute, gå ut, går ut, gick ut, klar, slut på kort, av med, inga kort kvar, tom hand, slut kort, färdig",
  winner: "vinn, vinna, vinner, vinnare, vann, seger, segrare, vinst, mästare",
  loser: "förlor, förlora, förlorare, sist plac, sista plats, sämst, jumbo",
  lastleft: "sist kvar, sista kvar, ensam, ensam kvar, bara kvar, 1 spelare kvar, bara 1 kvar, spelare kvar, enda spelare, sista spelaren",
  gameends: "slut på spel, spelet slut, när slutar, när spelet, när slut, omgång slut, partiet slut, avslut, spelet över, över, ta slut, när tar, \
slutar spel, slutar, slutet, slut, omgången slut",
  afterout: "redan ute, gått ut, har gått ut, efter gått ut, färdig spelare, klar spelare, spelat klart, slutat spela, redan klar, vunnit, som är ute, \
är redan ute, ute får",

  hour: "timme, timmen, timma, 60 minuter, tid ute, tiden ute, tid slut, tiden slut, tidsgräns, 60, klockan, tid gått, tiden gått, tid tog, tiden tog, \
tid tar, tiden tar, ringer",
  time: "tid, tiden, klocka, klockan, tidsgräns, timer",
  long: "hur länge, länge, lång tid, hur lång, varar, halvtimme, längd, hur mycket tid",
  timekeeper: "vem tar tid, tidtag, tar tid, ta tid, håller tid, stoppur, håller koll på tid, sköter klock, koll på klock, hålla tid, tidtagare, \
koll på tid",
  early: "förtid, i förtid, avbryt, avbryta, avbryts, avbröts, sluta tidig, sluta tidigare, tidigare, hinner inte, måste sluta, bryta, tidsbrist, \
hinna, brådska, tiden slut, slut i förtid",
  stop: "avbryt, stopp, stoppas, avbröts, bryta, stoppa, avbryts",
  void: "annull, ogiltig, räknas inte, stryka, stryks, ogiltigförkl, felgiv, fel giv, inte räkn, ogilt",
  replay: "spela om, om igen, börja om, omspel, omgiv, ge om, dela om",

  latecomer: "försenad, försening, sen, sent, kom sent, kommer sent, för sent, eftersläntr, hoppa in i spel, hoppa in mitt, komma in, kommer in, \
gå med, ansluta, ny spelare, mitt i parti, mitt i spel, vara med, pågående, ansluter, komma med, kommer med, ny deltagare, in sent",
  late: "sen, sent, försenad, senare",
  nine: "9 kort, 9",
  giveup: "ge upp, ger upp, gav upp, gett upp, kapitul, resign, lägga ner, lägger ner, orkar inte, kasta in, sluta spela, ge sig, ger sig, \
slutar spela, uppgiv, hoppa av, hoppar av, orkar, längre, inte spela längre, inte spela mer, trött",
  intention: "med flit, avsikt, alltid, varje parti, varje gång, försöker inte, hela tiden, varje spel, jämt, ständigt",
  leave: "lämna, lämnar, går hem, gå hem, gick hem, går därifrån, sticka, stack, åka hem, åker hem, åkte, drar hem, hoppar av, lämnat, måste gå, \
måste åka, hoppa av, avbryter, slutar spela, sticker, försvinn, gick, drog hem, lämnade, gå därifrån, gå därif",
  eject: "utvis, utvisa, utvisning, utvisad, kasta ut, slänga ut, kastas ut, kastad, diska, diskad, diskval, avstäng, stäng av, uteslut, utesluta, \
rött kort, bannad, sparka, portad, slängs ut, ta bort spelare, åka ut, åker ut, porta",
  disqualified: "diskval, diska, diskad, utvisad, avstängd, plats",
  again: "igen, andra gång, andra gången, gång till, upprep, fortsätter, fortsätta, återigen, efter varning, gång på gång",
  warning: "varn, varning, varna, gult kort, tillsäg, åthut",
  unsporting: "osport, ojust, osjyst, uppför, uppträd, otrevlig, svär, svärord, skrik, aggressiv, förlorare, dålig förlorare, maska, maskar, långsam, \
kastar kort, elak, ilsk, fair play, skäll, arg, sur, kinkig, bete, beter, slår, hot",
  disturb: "stör, störa, störande, bråkstake, full, berusad, packad, bråkig, gapig, trakass, oväsen, skrik, stökig, onykter, irriter, bråkar, gapar, \
jobbig",
  mock: "håna, hån, hånar, hånad, reta, retar, retas, skratta åt, skrattar åt, mobba, mobbar, förolämp, skryta, driva med, driver med, hånskratt, \
gliringar",
  celebrate: "glädj, fira, firar, jubla, jublar, besvik, glad",
  manners: "etikett, hyfs, artig, vett, god ton, uppförande, hövlig, trevlig",
  equality: "likabehand, trygg, tryggare, trakass, diskrim, jämlik, jämställ",
  cheat: "fusk, fuska, fuskade, fuskar, fiffla, lura, lurad, lurar, luras, lurade, ohederlig, gömma kort, gömt, gömmer, gömde, bedrag, mygla, mygel, \
bröt mot, bryter mot, smyga, smög",
  noticed: "märk, märkte, märks, upptäck, senare, efteråt, i efterhand, ingen såg, sågs inte, för sent, ingen märk, ingen upptäck, avslöj, såg, \
redan spelat, ingen",
  penalty: "straff, straffet, bestraff, påföljd, böter, sanktion, konsekvens, straffkort, prick",
  help: "hjälp, hjälpa, hjälper, tips, tipsa, tipsar, tipsade, råd, rådge, ledtråd, ge råd, vinka, viska, viskar, säga åt, säger vad, föreslå, coacha, \
lägga sig i, lägger sig i, berätta, berättar, avslöja",
  talk: "prata, pratar, snacka, snackar, tala, säga, samarbet, komment, viska, berätta, diskut",
  spectator: "åskåd, publik, tittar, tittare, åskådare, kompis, flickvän, pojkvän, bakom, utomstå, står bakom, vän, mamma, pappa, kompisen, \
bredvid står, tjejen, sambo",
  novice: "nybörj, ny i spelet, nykomling, ovan, barn, första gång, första gången, lärling, oerfar, noob, lär sig, aldrig spelat",
  away: "borta, toa, toalett, toaletten, rökpaus, röker, röka, telefon, mobil, mobilen, inte på plats, inte vid bord, inte här, frånvar, försvunn, \
kissa, baren, pratar i, hämta, öl, gått iväg, iväg, dricka, paus, somna, sover, inte där, ringa, saknas, gått ifrån, lämnat bord",
  marked: "märkt, märkta, märke, veck, vikt, böjt, böjd, trasig, trasigt, skad, sliten, slitet, sönder, känner igen, känns igen, repa, repigt, kladdig, \
smuts, fläck, rivet, byta ut kort, skrynk, blött, hundöra, känna igen, repor, revs",
  dispute: "tvist, tvista, bråk, bråka, bråkar, oense, oenig, oeniga, gräla, gräl, konflikt, inte överens, inte komma överens, vem bestämmer, \
bestämmer, avgör, meningsskilj, osäker, olika åsikt, diskussion, vem har rätt, argument, tjafs, problem",
  vote: "röst, rösta, röstar, omröst, rösterna, majorit, ja nej, ja-",
  referee: "regeln inte säger, reglerna inte säger, reglerna säger inget, står inte i regl, domare, domar, beslut, domslut, klaga, överklag, protest, sista ord, avgörande, döma, dömer, dom",
  heat: "heat, heatet, kval, kvalet, kvalomg, försök, grupp, heaten, förtävl, delomgång",
  advance: "vidare, går vidare, gå vidare, till final, till finalen, avanc, kvalific, ta sig, tar sig, vidare från, nästa steg",
  semifinal: "semi, semifinal, steg, kvartsf, nivå, mellanfinal, omgångar före",
  final: "final, finalen, finaler, finalist, mästerskap, slutspel",
  beside: "annat kort, andra kort, något annat, ett till, ihop med, tillsammans med, med annat, fler kort, mer",

  origin: "vem skrev, riku, eskelinen, församling, oriveden seurakunta, webbadress, adress, unorules, källa, regelblad, vem gjorde, upphov, kommitté, jubileum, författ",
  champion: "mästare, mästerskap, mästerskapsspel, testat, testade",
  opponents: "motspelar, motståndar",
  round: "omgång, runda",
  idea: "idé, idéer, förslag, anpassningsbara kort, anpassningsbart kort",
  note: "obs, observera",
  symbol: "symbol, bild",
  example: "exempel",
  nextplayer: "nästa spelare",
  requirements: "behövs, utrustning",
  kpgut: "kpgut, kingi89 pro gamer uno tour, pro gamer, regelbok",
  valueside: "framsida, baksida, baksidan upp",
  situations: "specialsituationer, specialsituationerna",
  case: "ask, asken, kortask, fodral",
  newest: "senaste version, senaste, version, ladda, kopiera, sprida",
  revision: "ändringar, regeländr, revision, nyheter",
  trademark: "varumärk, mattel inc, upphovsrätt",
  printing: "skriva ut, skrivs ut, utskrift, a4, papper, dubbelsid",
  value: "värde, värdet, samma värde",
  s4: "vem blandar om",
};
