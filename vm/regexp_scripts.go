package vm

import (
	"strings"
	"sync"
)

// scriptNames are the short names of scripts (PropertyValueAliases.txt), each with the long one.
const scriptNames = `
Adlm Adlam, Hluw Anatolian_Hieroglyphs, Arab Arabic, Armn Armenian, Avst Avestan, Bali Balinese, Bamu Bamum, Bass Bassa_Vah,
Batk Batak, Beng Bengali, Bhks Bhaiksuki, Bopo Bopomofo, Brah Brahmi, Brai Braille, Bugi Buginese, Buhd Buhid,
Cans Canadian_Aboriginal, Cari Carian, Aghb Caucasian_Albanian, Cakm Chakma, Cher Cherokee, Chrs Chorasmian, Zyyy Common,
Copt Coptic, Qaac Coptic, Xsux Cuneiform, Cprt Cypriot, Cpmn Cypro_Minoan, Cyrl Cyrillic, Dsrt Deseret, Deva Devanagari,
Diak Dives_Akuru, Dogr Dogra, Dupl Duployan, Egyp Egyptian_Hieroglyphs, Elba Elbasan, Elym Elymaic, Ethi Ethiopic, Geor Georgian,
Glag Glagolitic, Goth Gothic, Gran Grantha, Grek Greek, Gujr Gujarati, Gong Gunjala_Gondi, Guru Gurmukhi, Hani Han, Hang Hangul,
Rohg Hanifi_Rohingya, Hano Hanunoo, Hatr Hatran, Hebr Hebrew, Hira Hiragana, Armi Imperial_Aramaic, Qaai Inherited, Zinh Inherited,
Phli Inscriptional_Pahlavi, Prti Inscriptional_Parthian, Java Javanese, Kthi Kaithi, Knda Kannada, Kana Katakana, Kali Kayah_Li,
Khar Kharoshthi, Kits Khitan_Small_Script, Khmr Khmer, Khoj Khojki, Sind Khudawadi, Laoo Lao, Latn Latin, Lepc Lepcha, Limb Limbu,
Lina Linear_A, Linb Linear_B, Lyci Lycian, Lydi Lydian, Mahj Mahajani, Maka Makasar, Mlym Malayalam, Mand Mandaic, Mani Manichaean,
Marc Marchen, Gonm Masaram_Gondi, Medf Medefaidrin, Mtei Meetei_Mayek, Mend Mende_Kikakui, Merc Meroitic_Cursive,
Mero Meroitic_Hieroglyphs, Plrd Miao, Mong Mongolian, Mroo Mro, Mult Multani, Mymr Myanmar, Nbat Nabataean, Nagm Nag_Mundari,
Nand Nandinagari, Talu New_Tai_Lue, Nkoo Nko, Nshu Nushu, Hmnp Nyiakeng_Puachue_Hmong, Ogam Ogham, Olck Ol_Chiki,
Hung Old_Hungarian, Ital Old_Italic, Narb Old_North_Arabian, Perm Old_Permic, Xpeo Old_Persian, Sogo Old_Sogdian,
Sarb Old_South_Arabian, Orkh Old_Turkic, Ougr Old_Uyghur, Orya Oriya, Osge Osage, Osma Osmanya, Hmng Pahawh_Hmong, Palm Palmyrene,
Pauc Pau_Cin_Hau, Phag Phags_Pa, Phnx Phoenician, Phlp Psalter_Pahlavi, Rjng Rejang, Runr Runic, Samr Samaritan, Saur Saurashtra,
Shrd Sharada, Shaw Shavian, Sidd Siddham, Sgnw SignWriting, Sinh Sinhala, Sogd Sogdian, Sora Sora_Sompeng, Soyo Soyombo,
Sund Sundanese, Sylo Syloti_Nagri, Syrc Syriac, Tglg Tagalog, Tagb Tagbanwa, Tale Tai_Le, Lana Tai_Tham, Tavt Tai_Viet, Takr Takri,
Taml Tamil, Tnsa Tangsa, Tang Tangut, Telu Telugu, Thaa Thaana, Tibt Tibetan, Tfng Tifinagh, Tirh Tirhuta, Ugar Ugaritic,
Zzzz Unknown, Vaii Vai, Vith Vithkuqi, Wcho Wancho, Wara Warang_Citi, Yezi Yezidi, Yiii Yi, Zanb Zanabazar_Square`

// laterScripts came to Unicode after the version that Go's tables have.
const laterScripts = `Berf Beria_Erfe Gara Garay Gukh Gurung_Khema Kirat_Rai Krai Ol_Onal Onao Sidetic Sidt Sunu Sunuwar Tai_Yo Tayo Todhri Todr Tolong_Siki Tols Tulu_Tigalari Tutg`

var scriptOf = sync.OnceValue(func() map[string]string {
	long := map[string]string{}
	for pair := range strings.SplitSeq(scriptNames, ",") {
		words := strings.Fields(pair)
		long[words[0]], long[words[1]] = words[1], words[1]
	}
	return long
})
