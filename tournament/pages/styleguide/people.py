"""Who stands in the samples. Nobody of them is real."""

LONG = "Maximiliana-Aleksandra Konstantinopolitanska-Hohenlohe-Bartenstein"
ONE_WORD = "Lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas"
NAMES = ("Aino Lindqvist", "Çağla Öztürk", "Jyri Mäkelä", "Åsa Ström")
CLUB = "Tietokerho"
EVENT = "Lastcard Open"
