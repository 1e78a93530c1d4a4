"""Files that a worker makes, taken as a person takes them."""

from judgments.models import Download
from judgments.publishing.downloads import making


def made(client, address: str, **data) -> bytes:
    """Ask for a file at an address, let a worker make it, and return what the link on the page
    sends."""
    asked = client.post(address, data)
    assert asked.status_code == 302, asked.content[:2000]
    assert making.work(Download.objects.latest("pk").pk)
    page = client.get(asked["Location"]).content.decode()
    assert f'href="{asked["Location"]}file"' in page, page
    response = client.get(f"{asked['Location']}file")
    content = response.getvalue()
    assert len(content) == int(response["Content-Length"])
    return content
