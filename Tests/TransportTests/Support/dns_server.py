"""A name server for tests: dnspython, with what it is told to know.

Usage: dns_server.py PORT ZONE

ZONE is a JSON document: {"NAME TYPE": ["value as in a zone file", ...]}. It writes "ready" to standard output. Over UDP it cuts answers
that are longer than the question allows. Some names behave badly: silent.test (no answer), failing.test (SERVFAIL), forged.test (first
an answer to another question, then one under another number), garbage.test (no message at all).
"""

import asyncio
import json
import sys

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset


# Unless told, dnspython writes no more than the question allows.
LONGEST = 65_535


class Zone:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.records = {tuple(key.lower().split(" ")): values for key, values in json.load(file).items()}

    def answer(self, query):
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        if name == "failing.test":
            response.set_rcode(dns.rcode.SERVFAIL)
            return response
        kind = dns.rdatatype.to_text(question.rdtype).lower()
        for _ in range(8):
            alias = self.records.get((name, "cname"))
            if not alias:
                break
            response.answer.append(dns.rrset.from_text(name + ".", 60, "IN", "CNAME", alias[0]))
            name = alias[0].rstrip(".").lower()
        values = self.records.get((name, kind))
        if values:
            response.answer.append(dns.rrset.from_text(name + ".", 60, "IN", kind.upper(), *values))
        elif not any(known == name for known, _ in self.records):
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response


class Datagrams(asyncio.DatagramProtocol):
    def __init__(self, zone):
        self.zone = zone

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        query = dns.message.from_wire(data)
        name = query.question[0].name.to_text(omit_final_dot=True).lower()
        if name == "silent.test":
            return
        if name == "garbage.test":
            self.transport.sendto(data[:2] + b"\xff" * 9, address)
            return
        response = self.zone.answer(query)
        if name == "forged.test":
            other = dns.message.make_query("other.test", query.question[0].rdtype, id=query.id)
            self.transport.sendto(dns.message.make_response(other).to_wire(), address)
            wire = bytearray(response.to_wire())
            wire[0] ^= 1
            self.transport.sendto(bytes(wire), address)
        wire = response.to_wire(max_size=LONGEST)
        if len(wire) > (query.payload or 512):
            response = dns.message.make_response(query)
            response.flags |= dns.flags.TC
            wire = response.to_wire()
        self.transport.sendto(wire, address)


async def serve(zone, reader, writer):
    try:
        length = int.from_bytes(await reader.readexactly(2), "big")
        query = dns.message.from_wire(await reader.readexactly(length))
        wire = zone.answer(query).to_wire(max_size=LONGEST)
        writer.write(len(wire).to_bytes(2, "big") + wire)
        await writer.drain()
    finally:
        writer.close()


async def main():
    port, zone = int(sys.argv[1]), Zone(sys.argv[2])
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(lambda: Datagrams(zone), local_addr=("127.0.0.1", port))
    server = await asyncio.start_server(lambda reader, writer: serve(zone, reader, writer), "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
