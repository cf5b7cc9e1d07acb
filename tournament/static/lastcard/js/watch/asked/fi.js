// How people ask for the rules in Finnish: see ../rule_search.js and en.js.

export { stemmer } from "../../../vendor/orama-stemmers-3.1.18/fi.js";

export const NUMBERS = {
  yksi: "1", yks: "1", yhden: "1", yhtä: "1", ykkö: "1", kaksi: "2", kaks: "2", kahden: "2", kahta: "2", kahdella: "2", "kakko*": "2", molemmat: "2",
  kolme: "3", kolmen: "3", kolmea: "3", "kolmo*": "3", neljä: "4", neljän: "4", neljää: "4", "nelos*": "4", nelonen: "4", viisi: "5", viiden: "5",
  kuusi: "6", kuuden: "6", seitsemän: "7", "seisk*": "7", kahdeksan: "8", yhdeksän: "9", "ysi*": "9", kymmenen: "10",
};

/** Words that say nothing about a rule, also not in a phrase. */
export const FILLER = `on jo omaa omalla ja tai vai jos niin että kun olla ole olen olet ovat saako saanko saisiko saisi voiko voinko voin voisi pitääkö pitäisi täytyy täytyykö minä
mä mun minun sinä sä sun sinun hän se ne sen sitä sillä siinä siitä tämä tää tän tuo toi me te he niitä niiden joku jokin jonku jonkun
joltain joltakin jollakin ihan vaan nyt kai kans myös sitten sit siis eli mutta tuossa tässä hei moi no heti itse toiselle edes just`;

/** Words that only say something in a phrase. */
export const FAINT = `oli olisi saa voi pitää vielä vain enää aina juuri oma oman omia toisen toinen ei en kortti kortin kortit korttia kortteja kortilla
kortteihin korttiin kortista peli pelin peliä pelissä pelaa pelata pelaan pelasi pelaavat pelaaja pelaajan pelaajat pelaajaa pelaajia
laittaa laitan laittoi laitetaan lyödä lyö löi panna pani heittää heitti heittäisi mitä mikä mitkä miten miksi milloin koska kuka kuinka
kenen kenellä mihin missä mistä sääntö säännöt sääntöjä säännöistä tapahtuu käy käykö tehdään tekee tehdä sallittu sallittua laillista
mukaan kesken päälle jälkeen ennen kanssa alla pöytä pöydässä pöytään tarvitseeko tarvitsee sama kerta jotain joutuu sanoo`;

export const PARAGRAPH = "pykälä, pykälän, kohta, kohdan, erikoistilanne, erikoistilanteen, sääntö, säännön, numero, tilanne, nro";

/** @type {Record<string, string>} */
export const MEANS = {
  draw2: "nosta 2, nosta 2 kortti, plus 2, ota 2, nostokakko, nosto 2, lisää 2, plussa 2, nosta2, draw 2, pluskakko, nostakakko, 2 nosto",
  wild4: "villi nosta 4, nosta 4 jokeri, nosta 4, plus 4, ota 4, nosto 4, lisää 4, villi 4, villi plus 4, musta 4, plussa 4, jokeri 4, plus 4 jokeri, \
draw 4, plusnelo, nostanelo, villi plus, 4 jokeri, plus 8, 4 nosto",
  reverse: "suunnanvaih, suunnan vaih, suunnanmuut, suunnankään, suuntakort, suunnanv, reverse, kääntökort, vaihda suunta, kääntyy suunta, \
takaisinpäin, suuntanuol, vaihtokort",
  skip: "ohitus, ohita, ohittaa, ohite, ohitt, skip, skippi, hyppää yli, yli hyp, stop, stoppi, estokort, ohituks",
  wild: "jokeri, joker, villi, villikort, värinvaih, värin vaih, wild, vaihtaa värin, vaihda väri, väriä vaihta, värinval",
  black: "musta, mustan, mustia, mustalla, mustaan, mustat, mustaa, mustilla",
  special: "erikoiskort, erikois, toimintakort, symbolikort, kuvakekort, kuvakort, symboli, symboleita, kuvake, efekti",
  number: "numerokort, numero, numerot, numeroa, numeron, tavallinen kortti, luku",
  zero: "0, nolla",
  colour: "väri, värin, väriä, värit, väristä, värillä, punainen, punais, vihreä, vihreäl, sininen, sinis, keltai, samanväri, maa",
  shufflehands: "sekoita kort, sekoita käde, sekoitus, sekoituskort, sekoita kaikki, käsien sekoi, käsien sekoit, kaikki kortit sekaisin, sekota kort, \
sekota käde",
  swaphands: "vaihda korttip, vaihtaa kädet, vaihda kädet, vaihda käsi, kädet vaihtoon, käsien vaih, vaihdetaan kädet, vaihtaa kortteja, \
vaihdetaan kortteja, vaihto",
  custom: "mukaut, muokat, tyhjä kort, tyhjä kortti, tyhjään korttiin, tyhjät kortit, valkoinen kortti, oma sääntö, keksi, kirjoita, lyijykynä, \
keksitty, custom",

  stack: "pino, pinoa, pinota, pinoo, ketju, ketjut, stäk, stäck, stak, stack, kasata, kasaa, kasautu, kasaant, kumuloi, summautu, summa, \
lisätä päälle, päälle toinen, toisen päälle, vastaa, päälle samanlainen, jatkaa, siirtää, eteenpäin, palauttaa, kontra, vastata",
  several: "useit, usea, useamp, monta, monia, moni, useaa, yhtä aikaa, yhtäaikaa, yhdellä kertaa, kerralla, samalla vuorolla, samaan aikaan, \
kaikki kerralla, samanaikais, pari, parin, tupla, tripla, 2, 3, 2 korttia, 3 korttia, monta samaa, kaikki samat, useampi, sarja, combo",
  samecard: "samanlai, sama kort, saman kort, samaa kort, samoja, samat, samaa, identti, täsmälleen, samanarvo, sama numero, samanumer, sama arvo, \
samannumer, saman numer, samoilla, tismalleen, täysin sama, saman, vastaava",
  jumpin: "välilyön, väliin, väli lyönt, välistä, väliinlyön, hypätä, hyppä, jump, jump in, lyödä väliin, kiilata, kiilaa, etuil, keskeyttää, läpsäy, \
sivusta, slide, side slide",
  outofturn: "väärä vuoro, väärällä vuorolla, väärään aikaan, vuoron ulkopuol, vuoro ulkopuol, ei vuoro, ei ollut vuoro, eikä vuoro, vaikka ei vuoro, \
väärä pelaaja, väärässä järjestyk, toisen vuorolla, toisen vuoro, ohi vuoron, vuorolla ei, ennen vuoroa, liian aikaisin, vuorollaan väär, väärin vuoro, \
vääränä vuorona, ennen vuoro, vuorotta, väärä, väärään väliin, väärästä paikasta, muun vuorolla",
  fits: "käykö, sopii, sopiva, sopivan, mitä voi pelata, mitä päälle, minkä päälle, sama väri, samaa väriä, samanväri, samaa numeroa, sama symboli, \
pelattavissa, pelin kulku, mitä käy, perus, päällimmäi, mikä kortti, minkä kortin, lyötävä, käy päälle",
  turn: "vuoro, vuorot, kenen vuoro, vuorossa",
  losesturn: "menettä, menete, menettääkö, jää väliin, vuoro menee ohi, jääkö väliin, seuraava pelaaja, seuraavan pelaajan, hyppää yli, vuoro väliin, \
väliin jää, vuoron yli",
  draw: "nosta, nostaa, nosto, nostam, nosti, nostan, nostet, nostin, nostaneen, ottaa korttei, ottaa kortin, otetaan kort, pakko ottaa",
  cannot: "ei voi, ei pysty, ei sovi, ei käy, ei sopiva, ei mitään, ei löydy, ei kortt, ei käde, ei sovel, kunnes, kauan, siihen asti, ei mikään, \
ei laitettav, ei pelattav, en voi, en pysty, ei saa laitettua, ei mene, mikään ei",
  drawn: "nostettu kort, nostamansa, nostettua, juuri nost, nostetun kort, nostin kort, nostetun, nostettu",
  must: "pitääkö kort, pitääkö lyödä, pitääkö pelata, täytyykö, pakko, onko pakko, pakollinen, velvolli, jättää pelaamatta, jättää väliin, ei halua, en halua, pelaamatta, passata, passi, passa, \
väliin jättä",
  needless: "turha, turhaan, aiheet, taktinen, taktis, tahalla, tarkoituk, vaikka olisi, vaikka kävisi, vaikka, ilman syytä, suotta, nostaa lisää, \
haluaa nostaa, huvik, vapaaehto, nostaa vaikka, jemma, kerätä kortt, kerää kort, ei halua pelata, olisi ollut, pimit, jättää pelaamatta, passata, \
pihtaa, panttaa",
  suspect: "epäil, epäily, epäilys, epäilee, epäilen, epäillä",
  challenge: "haast, haaste, haasto, haastaa, bluff, bluffa, valehtel, valehteli, oli väriä, olisi ollut väriä, oli sama väri, oli väri, \
oli muu kortti, olisi ollut muu, epäilen nosta, haastaminen, väittää, oli punai, oli sini, oli vihr, oli kelta, oli muuta, ollut muuta",
  illegal: "väärin, laiton, laittomas, ei saa, kielle, väärä kortti, väärän kortin, vahing, vahingossa, sääntöjen vasta, virhe, erehdy, ei kelpaa, \
moka, mokas",
  right: "aihee, aiheesta, aiheelli, oikeassa, oikea haaste, oikein haast, syylli, onnistu, oikea, perustel, jäi kiinni",
  wrong: "aiheeto, aiheetta, aiheetto, väärässä, väärä haaste, väärin, väärä, syytön, epäonnis, turha haaste, hävis, häviää haasteen",
  onlywhen: "milloin saa, milloin voi, milloin, ehto, ehdot, missä tilanteessa, vain silloin, käyttää",
  showhand: "näytt, näytä, näytetään, paljast, nähdä käde, katsoa käde, kuka näkee, käsi näky",
  hand: "käsi, käden, kädes, käsikor, kädet, käteen, jäljelle jääneet kortit, kortit minne, korteille",
  takeback: "takaisin käteen, ottaa takaisin, takaisin, peruut, perua",

  uno: "uno, unon, unoa, unoo, unosta, unoksi, unnon",
  forgot: "unoht, unohdi, unohda, unohdu, ei sano, ei sanonut, sanomatta, jätti sanomatta, ei huuta, ei huutanut, huutamatta, myöhässä, liian myöhään, \
ei muista, muistanut, en sanonut, jäi sanomatta, puuttu, ei sanottu, ilman unoa, en sano, ei, en",
  unclear: "epäselv, hilja, mumis, mutis, kuiska, ei kuul, ei kuullut, kuulunut, kuulu, kuulee, selvä, selkeä, äänen, kuiskas",
  seconds: "sekun, kuinka nopeasti, nopea, miten nopea, kolmessa, ajoissa, milloin uno, koska uno, milloin pitää sanoa, missä välissä, 3 sek",
  onecard: "1 kortti, yksi kortti jäljellä, toiseksi viimei, 1 jäljellä, 1 käde, viimeistä edell, yhden kortin",

  deck: "pakka, pakkaa, pakan, pakat, pakkoja, korttipak, pakasta, pakassa, tarvitaan, tarvikk, varusteet",
  players: "pelaajaa, montako pelaajaa, pelaajamäär, monta pelaajaa, pelaajille, monelle, hengelle, henkeä, ihmistä",
  cardcount: "montako kort, kuinka monta, korttimäär, korttien määr, lukumäär, montako, määrä, vähiten, vähemmän, enemmän",
  takenout: "poist, otetaan pois, ota pois, jätetään pois, ei käytetä, ei kuulu, ilman, otettava pois, pois pakasta, poistetaan, karsi, kuuluuko, \
käytetäänkö, mukana",
  worth: "arvo, arvoa, arvoi, pisteitä kortis, minkä arvo, pistearvo, montako pistettä, pistettä kort, paljonko, kortin pisteet, arvon",
  points: "piste, pistet, pisteet, pisteitä, pisteyty, pistelask, pojo, pojoja, pinnat",
  count: "laske, lasku, laskut, laskenta, lasketaan, laskee, laskem, pisteyty, pistelask, yhteen, saa pisteet, pistesum",
  target: "pisteraja, voittomäär, pistemäär, tavoite, mihin pisteis, 500, 250, voittoraja, moneenko, kuinka moneen, montako pistettä voit, paljonko pisteitä voit, \
ensimmäisenä, raja, voittopiste, mihin asti, mihin pel, tavoit",
  agreed: "sovi, sopia, sovita, sovittu, sovitaan, sopimu, muu pisteraja, toinen raja, muu raja, muuttaa rajaa, 300, 200, muuta, suostu",
  change: "muutt, muuttaa, muuttu, vaihtaa rajaa, nostaa rajaa, laskea rajaa, vaihta, kesken",
  lowest: "pienin, vähiten, pienimm, vähinten, oma käsi, omat, miinus, alin",
  alternative: "vaihtoeh, toinen tapa, toinen lasku, muu tapa, oma käsi, omat piste, oman käden",
  average: "keskiar, keskim, jaetaan, jako, keskipist, ka",
  session: "sarja, sarjan, pelisarja, ilta, illan, kokonais, loppupist, loppusijoit, koko turnaus, lopputul, kokonaispist, yhteensä, istunto",
  fewestgames: "vähintään peliä, montako peliä, tarpeeksi pelejä, vähän pelejä, vähemmän pelejä, vain yhden pelin, yhden pelin, pelimäär, pelien määr, \
vähimmäis, kuinka monta peliä",
  absent: "poissa, puuttuu, ei pelannut, osallistu, jäi väliin, poissaol, ei ollut",
  minutes: "minuut, minuuteis, täydet, minuutti, min, pyörist",
  samesecond: "samalla sekun, samaan aikaan, yhtä aikaa, samanaik",
  place: "sija, sijoit, sijan, sijat, sijal, järjesty, paremm, parempi, monesko, kumpi",
  second: "toinen sija, toiseksi, hopea, kolmas, muut sijat, kakkossija, loput sijat, kuka toinen, kakkoseksi, tulee toiseksi",
  level: "tasapel, tasan, tasa, yhtä mon, yhtä paljon, sama määrä, samat pisteet, samoissa, tasapist, sama pistemäär, samat, yhtä suur, sama suurin, \
sama tulos, jaettu, tasatilan, sama keskiar, sama sija, yhtä",
  highest: "suurin, isoin, korkein, suurimm, isoimm, korkeimm, iso kortti",

  dealer: "jakaj, kuka jakaa, kuka jaka, kuka sekoittaa, jakovuoro, jakaa",
  deal: "jakaa, jako, jaetaan, jaan, jakam, montako jaetaan, alkukä, aloituskä, aluksi, jaettav, antaa kortit, jaossa",
  handsize: "montako korttia saa aluksi, montako korttia saa alussa, montako korttia jae, montako korttia aluksi, montako korttia alus, \
kuinka monta korttia jaetaan, kuinka monta korttia alussa, 7 kort, aloituskä, alkukä, montako korttia per, montako jaetaan, montako korttia kukin, \
montako korttia kaikille",
  shuffle: "sekoit, sekota, sekoti, sekoitt, sekottaa, sekoitus",
  nextgame: "seuraava kierros, seuraavan kierrok, seuraava peli, seuraavan pelin, uusi peli, uusi kierros, uuden pelin, uuden kierrok, seuraavassa pel, \
seuraavalla kierrok, seuraavaan peli, toka kierros, pelin jälkeen, pelien väl, kierroksen jälkeen, uusi erä, seuraava erä",
  start: "aloit, aluksi, alku, alka, aloitus, valmistel, alussa, alkaa",
  whostarts: "kuka aloit, kuka alka, aloittaa, aloittaja, aloittava, kuka eka, kuka ensin, eka vuoro, ensimmäinen vuoro, aloitusvuoro, ketä aloit",
  firstcard: "aloituskort, eka kortti, ensimmäinen kort, ensimmäinen pöytäkort, ensimmäisenä kort, käännet, käännetty, käännetään, alkukort, \
ekana kort, ekaksi, avauskort, pohjakort, ensimmäiseksi, päällimmäisenä alussa, pakasta kään, ensimmäisenä, eka, alkuun, pelin alus",
  clockwise: "myötäp, vastap, vasem, oikea, oikeal, kello",
  direction: "suunta, suunna, kiertosuun, pelisuun, myötäp, vastap, kumpaan suuntaan, pelijärj, järjestys, mihin suuntaan, oikealle, vasemmalle, \
kumpaan",
  twoplayers: "2 pelaaja, kaksinpel, kaksin, kahdestaan, 2 jäljellä, 2 pelaajaa, 2 pelaajan, kahden kesken, 2 pelaa, kaksi jäljellä",
  drawpile: "pino, nostopak, nostopin, pakka, pakan, nostokas, nosto pak, nosto pin",
  discardpile: "poistopak, poistopin, pelipak, pelipin, heittopak, lyöntipak",
  empty: "loppu, loppuu, loppui, loppuv, tyhj, kortit loppu, ei riitä, ei enää, loppum, lopussa, käy vähiin, riittää, nollil, lisää nostop, \
mistä nostaa, nostettavaa, ei nostettavaa",
  oldest: "vanhin pelaaja, vanhin, vanhim, vanhempi",
  youngest: "nuorin pelaaja, nuorin, nuorim, nuorempi",
  roles: "rooli, roolit, tehtäv, vastuu, velvoll, kuka hoitaa, hoitaa, kuka vastaa, vastaa",
  neighbour: "vierei, naapur, vierus, istu, istuma, paikka, vasemmalla, vieressä",
  takepart: "osallist, kosket, koskea, ketkä, mukaan, mukana, liitty, liittyä, osanott",
  seecards: "kurk, kurkis, nähdä kortit, näkee kort, katsoa kort, katsoo kort, katsoi, toisten kort, toisen kort, toisen käde, vilku, vilkais, näkee, \
näki, kaverin kort, kaverin käde, vakoil, lunt",
  ordinary: "tavallis, tavalliset sää, viralli, normaalit, normaali, mattel, alkuperä, perussään",
  houserules: "kotisää, talon säännöt, omat säännöt, kotona, 7 0, nollasta, nolla vaihto",

  lastcard: "viimeinen kort, viimeisen kort, viimeisenä kort, viimeiseksi kort, viimeisellä kort, viimeinen, viimeisenä, viimeiseksi, viimeisellä, \
viimeisen, viimeistä, vika kortti, vikana, vika, lopettaa, lopetta, lopeta, voittaa jokeril, voittaa nosta, viimestä, viiminen, loppukort, voittokort, \
päättää, lopettaminen, voittaa must, voittaa erik, musta käde, musta jäljellä, lopettaa erikois, kädessä enää, enää kädessä, enää nosta, enää jokeri, \
enää villi, enää musta, pelkkä, pelkästään, ainoa kortti, ainut kortti, kädessä vain",
  out: "ulos, pois kort, eroon, kortit loppu, valmis, valmii, pääsee kort, korteista, kortit loppui, loppuivat, lopetta, kortittom, poistu",
  winner: "voitt, voittaja, voitto, voittaa, mestar, voiton",
  loser: "häviä, häviäjä, hävinnyt, hävis, viimeinen sija, viimeiseksi jä, luuseri, hävi",
  lastleft: "viimeiseksi jä, 1 jäljellä, yksin jäl, viimeinen pelaaja, jäljelle jäänyt, jäi yksin, viimeisenä jäl, ainoa pelaaja, yksin, \
vain 1 pelaaja, viimeisenä pel",
  gameends: "peli loppu, peli päätt, milloin loppu, kierros päätt, milloin peli, päätty, pääty, loppuu, milloin päätt, lopeta peli, peli ohi, \
erä päätt, pelin lopet, pelin loppu, pelin päät",
  afterout: "valmis pelaaja, pelistä poistunut, lopettanut, kortit loppuneet, pelistä päässyt, poistunut, ulkona, lopetta, voittanut pelaaja, valmis, \
ulkona oleva, pelinsä lopet",

  hour: "tunti, tunnin, tuntia, tunnit, 60 min, aika loppu, aika täyn, aikaraja, aika täyt, aika ohi, peliaika, aika umpeen, kello käy, 60",
  time: "aika, aikaa, ajan, kello, aikaraja, kellot",
  long: "kauanko, kauan, kesto, kestää, kestääkö, kuinka pitkä, pitkään, puoli tuntia, pituus, kuinka kauan, paljonko aikaa",
  timekeeper: "ajanot, kuka ottaa aikaa, aikaa ottaa, kellottaa, kuka katsoo kelloa, kuka pitää aikaa, pitää aikaa, sekuntikel, ajasta, kelloa, \
kuka seuraa aikaa, seuraa aikaa, ajan lask",
  early: "kesken, keskey, lopetetaan kesken, lopettaa kesken, aikaisin, ennen aikojaan, aikarajan, kiire, jouduttiin lop, joudutaan lop, peli kesken, \
pelin lopettaminen kesken, loppuu kesken",
  stop: "keskey, lopetetaan, keskeyt, kesken",
  void: "mitätö, mitätöi, ei lasketa, peruu, peruutetaan, hylät, kumota, kumo, ei päde, väärin jaettu, virhejako, jakovirhe",
  replay: "uusiksi, uudestaan, uusinta, uudelleen, alusta, pelataan uud",

  latecomer: "myöhäst, myöhässä, myöhemmin mukaan, kesken mukaan, mukaan kesken, tulla mukaan, liitty, liittyä, uusi pelaaja, uuden pelaaj, \
tuli myöhässä, jälkikäteen, pääsee mukaan, voi tulla, mukaan peliin, tulee kesken, tuli kesken, tulija, kesken peliin, mukaan vielä",
  late: "myöhäs, myöhemm, myöhään, myöhäi",
  nine: "9 kort, 9",
  giveup: "luovut, luovuttaa, antaa periksi, periksi, luovuttam, luovutt, keskeyttää pelin, antautu, heittää pyyhkeen, lopettaa pelaam, hanskat, jaksa, \
enää pelata, halua pelata enää, lopettaa pelaaminen, luovuttaja",
  intention: "tahallaan, aina luovut, joka peli, joka pelin, jatkuvasti, ei yritä, aikomus, hävitä tahall, jatkuva",
  leave: "lähte, läht, poistu, häipy, kotiin, lähtee pois, lähti pois, lähtijä, lopettaa kesken, luopu, joutuu lähtemään, lähdettävä, jättää pelin, \
keskeyttäjä, lähdö, lähdet",
  eject: "heitet, poisto pelistä, poistet, poistaa pelaaja, poistaa pelistä, ulos heittä, ulosheit, potki, bannata, banni, hylät, hylkä, diskat, disk, \
suljet, sulkea, sulke, ulosajo, punainen kortti, ajaa ulos, poistaa, poistaminen, heittää ulos, heittää pihal, erot, poistetaanko, ulos pelistä",
  disqualified: "hylät, hylkä, disk, diskat",
  again: "uudestaan, toisen kerran, toistu, jatkaa, uudelleen, taas, varoituksen jälk, toistamis, huomautuksen jälk, toinen varoitus, toistaa, jatkuu",
  warning: "varoit, huomaut, keltainen kortti, nuhte",
  unsporting: "epäurhei, epäreilu, käytös, käytty, käyttäy, töykeä, kiroil, kirosana, huutaa, huutel, raivo, aggress, viivyt, jarrut, hidastel, hidas, \
ärhente, törkeä, heittelee, loukka, huono häviäjä, reilu peli, epäkohtel, raivoa, suuttu, kiukuttelu",
  disturb: "häirik, häirit, häiri, häiriö, humala, juop, känni, mölyä, möly, meluaa, melu, riehu, sekoil, ärsytt, häirintä, haitta, humalai",
  mock: "pilkk, pilka, ilku, ivata, vittuil, naurea, nauraa, nälvi, haukku, haukkua, kiusa, solvat, solvaa, kettuil",
  celebrate: "tuulet, iloit, juhlia, riemu, pettyn, riemuit",
  manners: "etiket, tavat, käytöstap, kohtelia, herrasmie, pelitavat, hyvät tavat",
  equality: "yhdenver, turvalli, turvallis, häirint, syrji, tasa-arvo, tasaarvo",
  cheat: "huija, huijaa, huijar, huijas, vilpp, fusk, petku, petos, rikkoo sää, rikkoi sää, kusett, huijaus, piilot, salaa, luntata, lunttaa, kusetus, \
vedätt, väärinpel, vilunki",
  noticed: "huomat, myöhemmin, jälkeenpäin, liian myöhään, huomasi, huomannut, vasta, jälkikäteen, kukaan ei huom, paljastu, selvis, pelannut, \
huomattiin, huomataan",
  penalty: "rangais, rankais, rangaist, sakko, sakkoa, sakot, seuraamu, sanktio, rangaistus, sakkokort, sakon",
  help: "autta, auttaa, apua, neuvo, neuvoa, neuvominen, vihje, vihjeit, vinkki, vinkk, vinkata, opasta, opastaa, supat, kuiskut, kuiski, kertoa, \
kertoo, ehdott, vihjata, vihjaa, kehotta, avusta, avust",
  talk: "puhu, puhua, jutell, keskust, kommento, kertoa, sanoa, juonia, sopia yhdessä, supat, liittou, yhteispel",
  spectator: "katsoj, katsel, yleisö, sivusta, sivulli, ulkopuol, kaveri, kaverin, tyttöys, poikays, vaimo, äiti, takana, vieressä seiso, kannust, \
katsomo, seuraaja, kaveria",
  novice: "aloittelij, kokematon, kokemat, uusi pelaaja, ensikertal, noob, nyybi, lapsi, lasta, opettele, opettaa, ekaa kertaa, vasta-alk",
  away: "poissa, vessa, vessassa, vesas, veska, vessaan, tupakal, röökil, rööki, puhelim, kännykk, ei paikal, ei paikalla, ei pöydäs, pois pöyd, \
kadonnut, hävinnyt, kahvil, kalja, baari, baaris, tauol, lähti hetkeks, ei pöyd, ei läsnä, ei täällä, nukah, nukku, ulkona, pissa, käymäs, pihalla, \
vessah, paikalta, hakemassa, ei palannut, syömäs, soitta, puhelin, tupak",
  marked: "tuntokor, merkat, merkit, merkki, taittu, taitett, taipun, rispaant, revenny, repey, revet, kulun, vahingoit, rikki, rikkinäi, likai, \
naarmu, tunnista, tunnistaa, vaurioit, kulunut, tahra, kastu, märkä, ruttu, ryppy, vaihtaa kortti, hajon, vääntyn, repesi, taite",
  dispute: "riita, riidell, riitaa, riidan, riitel, ristiriit, erimiel, eri miel, kiista, kiistel, kiistaa, väitel, väittel, kuka ratkaisee, \
kuka päättää, ratkais, epäselvä tilanne, epäselv, ongelm, ei sovita, eri mieltä, ei samaa mieltä, samaa mieltä, kumpi oikeas, tulkin, päättää",
  vote: "äänest, äänet, ääni, äänes, äänestys, kyllä ei, enemmist, kysymys, äänten",
  referee: "säännöissä ei, sääntö ei kerro, ei ole sääntöä, tuomar, päätös, päätök, tuomio, tuomari, ratkaisu, valitt, valitus, viimeinen sana, protes",
  heat: "erä, erät, eräs, erän, eräpel, alkuerä, karsint, alkukarsin, karsin, lohko, erissä, erään, eriä",
  advance: "jatkoon, pääsee jatk, jatkaa, etene, eteen, finaaliin, jatkopaik, pääsee fina, pääsee eräs, jatkos, jatko",
  semifinal: "väliin erä, välierä, semi, semifin, vaihe, vaihei, useampi vaihe, kierrosta",
  final: "finaal, finali, loppupel, loppukil, finalist, mestaruus",
  beside: "muuta korttia, muita kortteja, toinen kortti, toisen kortin, jotain muuta, kanssa muu, muu kortti, muita kortt, lisäksi, kanssa",

  origin: "kirjasi, riku, eskelinen, alkuperä, oriveden seurakunta, seurakunt, nuorisotyö, verkko-osoite, nettiosoite, osoite, unorules, lähde, sääntölehti, kuka teki, tekijä, tekijät, tehnyt, laatinut, toimikunta, vuosijuhla",
  champion: "mestari, uno mestari, mestaruuspel, mestaruus, testat, testaus",
  opponents: "vastapelaaj, vastustaj",
  round: "erä, kierros, kierroksen",
  idea: "idea, ideoi, ehdotus, mukautettava kortti, mukautettavat kortit, mukautettavien korttien",
  note: "huomaa, huom",
  symbol: "kuvake, symboli, symboliko",
  example: "esimerk",
  nextplayer: "seuraava pelaaja, seuraavan pelaajan",
  requirements: "tarvitaan, tarvikk, varusteet",
  kpgut: "kpgut, kingi89 pro gamer uno tour, pro gamer, sääntökirja",
  valueside: "arvopuol, nurin",
  situations: "erikoistilanteet, erikoistilantei",
  case: "kotelo, koteloon, laatikkoon",
  newest: "uusin versio, uusin, versio, lataa, ladata, kopioi, levittä",
  revision: "sääntömuut, revisio, edelliseen revisioon",
  trademark: "tavaramer, mattel inc, tekijänoik",
  printing: "tulost, taita, arkki, a4, paperi",
  value: "arvo, arvoa, arvon, samanarvo, sama arvo",
  s4: "korttien sekoittamisesta vastaava, kuka sekoittaa uudelleen",
};
