"""Language codes as releases write them → tags as the site stores them."""

import re

# ISO 639-2 (bibliographic and terminological) → ISO 639-1, of languages that have both.
TABLE = """
afr af, alb sq, amh am, ara ar, arg an, arm hy, asm as, aze az, baq eu, bel be, ben bn, bod bo,
bos bs, bre br, bul bg, bur my, cat ca, ces cs, chi zh, cor kw, cos co, cym cy, cze cs, dan da,
deu de, div dv, dut nl, ell el, eng en, epo eo, est et, eus eu, fao fo, fas fa, fij fj, fin fi,
fra fr, fre fr, fry fy, ful ff, geo ka, ger de, gla gd, gle ga, glg gl, gre el, grn gn, guj gu,
hat ht, hau ha, heb he, hin hi, hrv hr, hun hu, hye hy, ibo ig, ice is, iku iu, ind id, isl is,
ita it, jav jv, jpn ja, kan kn, kas ks, kat ka, kaz kk, khm km, kik ki, kin rw, kir ky, kor ko,
kur ku, lao lo, lat la, lav lv, lin ln, lit lt, ltz lb, lug lg, mac mk, mal ml, mao mi, mar mr,
may ms, mkd mk, mlg mg, mlt mt, mon mn, mri mi, msa ms, mya my, nep ne, nld nl, nno nn, nob nb,
nor no, nya ny, oci oc, ori or, orm om, pan pa, per fa, pol pl, por pt, pus ps, que qu, roh rm,
ron ro, rum ro, run rn, rus ru, san sa, sin si, slk sk, slo sk, slv sl, sme se, smo sm, sna sn,
snd sd, som so, sot st, spa es, sqi sq, srd sc, srp sr, ssw ss, sun su, swa sw, swe sv, tam ta,
tat tt, tel te, tgk tg, tgl tl, tha th, tib bo, tir ti, ton to, tsn tn, tso ts, tuk tk, tur tr,
twi tw, uig ug, ukr uk, urd ur, uzb uz, ven ve, vie vi, wel cy, wol wo, xho xh, yid yi, yor yo,
zho zh, zul zu
"""
# Of two codes in ISO 639-2 those that are not in ISO 639-3.
BIBLIOGRAPHIC = "alb arm baq bur chi cze dut fre geo ger gre ice mac mao may per rum slo tib wel"
SHORT = dict(pair.split() for pair in TABLE.split(","))
LONG = {short: long for long, short in SHORT.items() if long not in BIBLIOGRAPHIC.split()}
WORD = re.compile("[A-Za-z]+(?:-[A-Za-z]+)?")
# Language pairs written as one word, such as zhen; none of them is an English word.
CODES = "ar bn cs de es et fi fr gu ha he hi hr is it iu ja kk km ko lt lv nl pl ps pt ro ru sv ta"
PAIRS = {
    pair
    for code in [*CODES.split(), "km", "ne", "si", "tr", "uk", "xh", "zh", "zu"]
    for pair in (code + "en", "en" + code)
} | {"csuk", "ukcs", "frde", "defr", "jazh", "csde"}
# Languages of ISO 639-3 whose code is that of their macrolanguage, as in CLDR.
MEANT = """
cmn zh, arb ar, ekk et, lvs lv, pes fa, swh sw, zsm ms, khk mn, azj az, uzn uz, npi ne, ory or,
als sq, gaz om, pbt ps, plt mg, ydd yi
"""
SHORT |= dict(pair.split() for pair in MEANT.split(","))
KNOWN = SHORT.keys() | LONG.keys()
SEVERAL_SCRIPTS = ["az", "kk", "ku", "mn", "ms", "pa", "sd", "sr", "ug", "uz", "yue", "zh"]
SCRIPT = re.compile("[A-Z][a-z]{3}")
TAG = r"[a-z]{2,3}(?:_[A-Z][A-Za-z]{1,3})*"
PAIR_OF_CODES = re.compile(r"(?<![a-z])([a-z]{2,3})-([a-z]{2,3})(?![a-z])")
PAIR = re.compile(rf"(?<![A-Za-z])({TAG})-+({TAG})(?![A-Za-z])")


def language_code(text: str) -> str:
    """Return the shortest code, as in BCP 47, without the script of a language that has only one:
    `deu` → `de`, `zh_Hans` → `zh-Hans`, `eng_Latn` → `en`."""
    first, *rest = text.strip().replace("_", "-").split("-")
    language = SHORT.get(first.lower(), first.lower())
    if rest and SCRIPT.fullmatch(rest[0]) and language not in SEVERAL_SCRIPTS:
        rest = rest[1:]
    return "-".join([language, *rest])


def pair_in(text: str) -> tuple[str, str]:
    """Return the language pair in a name such as `wmt25_#_en-cs_CZ` or `eng_Latn---ces_Latn v3`; ""
    twice if there is none."""
    found = PAIR.search(text)
    return (language_code(found[1]), language_code(found[2])) if found else ("", "")


def three_letters(tag: str) -> str:
    """Return only the language, as in ISO 639-3: `de-AT` → `deu`, `liv` → `liv`."""
    language = tag.lower().replace("_", "-").split("-")[0]
    return LONG.get(language, language)
