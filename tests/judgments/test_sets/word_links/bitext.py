"""A small test set of real sentences, written for the tests: German, with two English systems, of
which one leaves words out, and a reference."""

from judgments.models import Document, Output, Reference, Segment, System, TestSet

PAIRS = (
    ("Der Hund schläft im Garten .", "The dog sleeps in the garden ."),
    ("Die Katze schläft im Haus .", "The cat sleeps in the house ."),
    ("Der Hund trinkt kaltes Wasser .", "The dog drinks cold water ."),
    ("Die Katze trinkt warme Milch .", "The cat drinks warm milk ."),
    ("Das Kind spielt im Garten .", "The child plays in the garden ."),
    ("Das Kind trinkt Wasser im Haus .", "The child drinks water in the house ."),
    ("Die Frau liest ein Buch im Garten .", "The woman reads a book in the garden ."),
    ("Der Mann liest ein altes Buch .", "The man reads an old book ."),
    ("Die Frau kauft kalte Milch .", "The woman buys cold milk ."),
    ("Der Mann kauft ein Haus .", "The man buys a house ."),
    ("Das Kind sieht den Hund im Haus .", "The child sees the dog in the house ."),
    ("Der Mann sieht die Katze im Garten .", "The man sees the cat in the garden ."),
)
# The second system leaves out of the seventh sentence "a book", of the fourth "warm".
LEFT_OUT = {3: "The cat drinks milk .", 6: "The woman reads in the garden ."}
REPEATED = 3  # times, so that there is something to learn from


def make_bitext(owner, *, times: int = REPEATED, references: bool = True) -> TestSet:
    test_set = TestSet.objects.create(
        name="Real sentences", owner=owner, source_language="de", target_language="en"
    )
    full, short = (
        System.objects.create(test_set=test_set, name=name) for name in ("Full", "Short")
    )
    for block in range(times):
        document = Document.objects.create(test_set=test_set, name=f"block{block}", position=block)
        for k, (source, target) in enumerate(PAIRS):
            number = block * len(PAIRS) + k
            segment = Segment.objects.create(
                test_set=test_set,
                document=document,
                key=str(number + 1),
                position=number,
                # Copies differ, or they would be one text to the aligner.
                source=source.replace(" .", " !") if block % 2 else source,
            )
            end = " !" if block % 2 else " ."
            if references:
                text = target.replace(" .", end).replace("The", "This")
                Reference.objects.create(segment=segment, text=text)
            Output.objects.create(segment=segment, system=full, text=target.replace(" .", end))
            shorter = LEFT_OUT.get(k, target).replace(" .", end)
            Output.objects.create(segment=segment, system=short, text=shorter)
    return test_set
