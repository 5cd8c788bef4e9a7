"""The host's own web site: pages with a bell under a strict policy, and where the bell fetches the user's token."""

import asyncio
import collections
import itertools

from aiohttp import web

POLICY = (
    "default-src 'none'; script-src 'self' {gateway}; connect-src 'self' {gateway} {hub} {sockets}; "
    "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'"
)
PAGE = """<!doctype html>
<html lang="{language}" dir="{direction}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
{head}
<main><h1>A page</h1>{body}</main>
<script src="/setup/{number}.js"></script>
<script type="module" src="{gateway}/bell/v1/belfry-bell.js"></script>
</html>
"""


class Site:
    """Serves http://localhost:<port>, which is another origin than the gateway's and the hub's."""

    def __init__(self, world):
        self.world = world
        self.pages, self.scripts, self.files = {}, {}, {}
        self.people = {}
        # By user: how often the token was fetched. And what is answered instead of one: a status, or a function that gives a token.
        self.token_requests = collections.Counter()
        self.token_answers = {}
        self._numbers = itertools.count(1)
        self.origin = None

    def app(self):
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        return app

    def page(self, body, setup="", language="en", direction="ltr", head="", policy=None):
        """Makes a page and returns its address. `setup` is a script that runs before the bell's."""
        number = next(self._numbers)
        gateway, hub = self.world.gateway, self.world.hub_line.address
        self.scripts[number] = setup
        html = PAGE.format(body=body, number=number, language=language, direction=direction, head=head, gateway=gateway)
        return self.put(f"/{number}.html", html, policy)

    def put(self, path, html, policy=None):
        gateway, hub = self.world.gateway, self.world.hub_line.address
        policy = (policy or POLICY).format(gateway=gateway, hub=hub, sockets=hub.replace("http", "ws"))
        self.pages[path] = (html, policy)
        return self.origin + path

    async def _serve(self, request):
        match request.path.split("/")[1:]:
            case ["token", user]:
                return await self._token(user)
            case ["setup", name]:
                return web.Response(text=self.scripts[int(name.removesuffix(".js"))], content_type="text/javascript")
        if request.path in self.files:
            text, kind = self.files[request.path]
            return web.Response(text=text, content_type=kind)
        if request.path not in self.pages:
            return web.Response(status=404)
        html, policy = self.pages[request.path]
        return web.Response(text=html, content_type="text/html", headers={"Content-Security-Policy": policy})

    async def _token(self, user):
        self.token_requests[user] += 1
        answer = self.token_answers.get(user, self.people[user].token)
        if isinstance(answer, int):
            return web.Response(status=answer)
        token = await asyncio.get_running_loop().run_in_executor(None, answer)
        return web.json_response({"token": token}, headers={"Cache-Control": "no-store"})
