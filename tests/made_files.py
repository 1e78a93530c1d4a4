"""Files made by a worker, downloaded as by a user."""

from judgments.models import Download
from judgments.publishing.downloads import making


def made(client, address: str, **data) -> bytes:
    """Request a file at a URL, let a worker make it, and return what the link on the page sends."""
    asked = client.post(address, data)
    assert asked.status_code == 302, asked.content[:2000]
    assert making.work(Download.objects.latest("pk").pk)
    page = client.get(asked["Location"]).content.decode()
    assert f'href="{asked["Location"]}file"' in page, page
    response = client.get(f"{asked['Location']}file")
    content = response.getvalue()
    assert len(content) == int(response["Content-Length"])
    return content
