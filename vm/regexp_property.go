package vm

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// unicodeVersion is what \p{…} knows.
const unicodeVersion = unicode.Version

// propertySet gives the characters of \p{name} or \p{name=value}. Without a set and a reason, there is no such property.
func propertySet(name, value string, given bool) (set runeSet, unsupported string) {
	key := name + "=" + value
	if !given {
		key = name + "?"
	}
	propertiesMutex.Lock()
	set = properties[key]
	propertiesMutex.Unlock()
	if set != nil {
		return set, ""
	}
	set, unsupported = findProperty(name, value, given)
	if set != nil {
		propertiesMutex.Lock()
		properties[key] = set
		propertiesMutex.Unlock()
	}
	return set, unsupported
}

func findProperty(name, value string, given bool) (set runeSet, unsupported string) {
	switch {
	case given && (name == "General_Category" || name == "gc"):
		return category(value), ""
	case given && (name == "Script" || name == "sc" || name == "Script_Extensions" || name == "scx"):
		set := script(value)
		switch {
		case slices.Contains(strings.Fields(laterScripts), value):
			return nil, "not supported here: Unicode " + unicodeVersion + " does not have this script"
		case set != nil && strings.HasSuffix(name, "x") || set != nil && strings.HasSuffix(name, "_Extensions"):
			return nil, "script extensions are not supported here; write \\p{Script=" + value + "}"
		}
		return set, ""
	case given:
		return nil, ""
	}
	if set := category(name); set != nil {
		return set, ""
	}
	if long, ok := binaryAliases[name]; ok {
		name = long
	}
	if slices.Contains(strings.Fields(binaryUnknown), name) {
		return nil, "not supported here; list the characters that you mean, or use another property such as \\p{L}"
	}
	return binaryProperty(name), ""
}

func category(name string) runeSet {
	short := name
	if long, ok := unicode.CategoryAliases[name]; ok {
		short = long
	}
	switch short {
	case "Cn":
		return binaryProperty("Assigned").not()
	case "C":
		return fromTables(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs).with(binaryProperty("Assigned").not())
	case "LC":
		return fromTables(unicode.Lu, unicode.Ll, unicode.Lt)
	}
	if table, ok := unicode.Categories[short]; ok {
		return fromTables(table)
	}
	return nil
}

func script(name string) runeSet {
	long, ok := scriptOf()[name]
	if !ok {
		long = name // some have one name only
	}
	if long == "Unknown" {
		var known runeSet
		for _, table := range unicode.Scripts {
			known = append(known, fromTables(table)...)
		}
		return known.tidy().not()
	}
	if table, ok := unicode.Scripts[long]; ok {
		return fromTables(table)
	}
	return nil
}

// binaryUnknown are properties of ECMA-262 (table 69) that Go has no tables of, and texts of several characters.
const binaryUnknown = `Bidi_Mirrored Case_Ignorable Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased
	Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base
	Emoji_Presentation Extended_Pictographic XID_Start XID_Continue
	Basic_Emoji Emoji_Keycap_Sequence RGI_Modifier_Sequence RGI_Flag_Sequence RGI_Emoji RGI_Emoji_Modifier_Sequence
	RGI_Emoji_Flag_Sequence RGI_Emoji_Tag_Sequence RGI_Emoji_ZWJ_Sequence`

var binaryAliases = map[string]string{
	"Bidi_C": "Bidi_Control", "Bidi_M": "Bidi_Mirrored", "CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded", "CWCM": "Changes_When_Casemapped",
	"CWKCF": "Changes_When_NFKC_Casefolded", "CWL": "Changes_When_Lowercased", "CWT": "Changes_When_Titlecased", "CWU": "Changes_When_Uppercased",
	"DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated", "Dia": "Diacritic", "EBase": "Emoji_Modifier_Base", "EComp": "Emoji_Component",
	"EMod": "Emoji_Modifier", "EPres": "Emoji_Presentation", "ExtPict": "Extended_Pictographic", "Ext": "Extender", "Gr_Base": "Grapheme_Base",
	"Gr_Ext": "Grapheme_Extend", "AHex": "ASCII_Hex_Digit", "Hex": "Hex_Digit", "IDSB": "IDS_Binary_Operator", "IDST": "IDS_Trinary_Operator",
	"IDC": "ID_Continue", "IDS": "ID_Start", "Ideo": "Ideographic", "Join_C": "Join_Control", "LOE": "Logical_Order_Exception", "Lower": "Lowercase",
	"NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark", "RI": "Regional_Indicator",
	"STerm": "Sentence_Terminal", "SD": "Soft_Dotted", "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph", "Upper": "Uppercase",
	"VS": "Variation_Selector", "space": "White_Space", "Alpha": "Alphabetic", "XIDS": "XID_Start", "XIDC": "XID_Continue",
}

// derivedProperties are those that are put together of others (DerivedCoreProperties.txt).
func derivedProperties() map[string]func() runeSet {
	return map[string]func() runeSet{
		"Any":   func() runeSet { return allRunes },
		"ASCII": func() runeSet { return setOf(0, 0x7F) },
		"Assigned": func() runeSet {
			return fromTables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
		},
		"Alphabetic": func() runeSet {
			return fromTables(unicode.L, unicode.Nl, unicode.Other_Uppercase, unicode.Other_Lowercase, unicode.Other_Alphabetic)
		},
		"Uppercase": func() runeSet { return fromTables(unicode.Lu, unicode.Other_Uppercase) },
		"Lowercase": func() runeSet { return fromTables(unicode.Ll, unicode.Other_Lowercase) },
		"Cased": func() runeSet {
			return fromTables(unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Uppercase, unicode.Other_Lowercase)
		},
		"Math": func() runeSet { return fromTables(unicode.Sm, unicode.Other_Math) },
		"ID_Start": func() runeSet {
			return fromTables(unicode.L, unicode.Nl, unicode.Other_ID_Start).without(fromTables(unicode.Pattern_Syntax, unicode.Pattern_White_Space))
		},
		"ID_Continue": func() runeSet {
			return fromTables(unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue).
				without(fromTables(unicode.Pattern_Syntax, unicode.Pattern_White_Space))
		},
		"Grapheme_Extend": func() runeSet { return fromTables(unicode.Me, unicode.Mn, unicode.Other_Grapheme_Extend) },
		"Grapheme_Base": func() runeSet {
			return fromTables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs).without(binaryProperty("Grapheme_Extend"))
		},
		"Default_Ignorable_Code_Point": func() runeSet {
			return fromTables(unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector).
				without(fromTables(unicode.White_Space, unicode.Prepended_Concatenation_Mark).with(setOf(0xFFF9, 0xFFFB, 0x13430, 0x1343F)))
		},
	}
}

var (
	propertiesMutex sync.Mutex
	properties      = map[string]runeSet{} // that were put together before
)

// binaryProperty gives the characters that have a property; nil if there is none of that name.
func binaryProperty(name string) runeSet {
	propertiesMutex.Lock()
	set, known := properties[name]
	propertiesMutex.Unlock()
	if known {
		return set
	}
	if make, ok := derivedProperties()[name]; ok {
		set = make()
	} else if table, ok := unicode.Properties[name]; ok && !strings.HasPrefix(name, "Other_") && slices.Contains(strings.Fields(binaryTables), name) {
		set = fromTables(table)
	} else {
		return nil
	}
	propertiesMutex.Lock()
	properties[name] = set
	propertiesMutex.Unlock()
	return set
}

// binaryTables are the properties of ECMA-262 that Go has tables of.
const binaryTables = `ASCII_Hex_Digit Bidi_Control Dash Deprecated Diacritic Extender Hex_Digit IDS_Binary_Operator IDS_Trinary_Operator Ideographic
	Join_Control Logical_Order_Exception Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Radical Regional_Indicator
	Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Variation_Selector White_Space`
