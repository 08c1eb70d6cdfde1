"""A server that reads and discards every body and responds with `{}`; prints its port.

Written in Python, because Node allocates new memory for each 64 KiB that arrive, and so reads more slowly than the
clients can send.
"""

import socket
import threading

BUFFER_BYTES = 1024 * 1024
END_OF_HEAD = b"\r\n\r\n"


def drain(connection):
    chunk = memoryview(bytearray(BUFFER_BYTES))
    with connection:
        while True:
            head = b""
            while END_OF_HEAD not in head:
                received = connection.recv_into(chunk)
                if received == 0:
                    return
                head += chunk[:received]
            head, body = head.lower().split(END_OF_HEAD, 1)
            if b"expect: 100-continue" in head:
                connection.sendall(b"HTTP/1.1 100 Continue" + END_OF_HEAD)
            headers = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
            left = int(headers.get(b"content-length", 0)) - len(body)
            while left > 0:
                received = connection.recv_into(chunk, min(left, BUFFER_BYTES))
                if received == 0:
                    return
                left -= received
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2" + END_OF_HEAD + b"{}")


with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=drain, args=(connection,), daemon=True).start()
