package io.ballast.http.policy;

import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import java.util.List;

/** A client of HTTP/1.1. */
final class Http1PolicyClient implements PolicyClient {

    private final RawClient client;

    Http1PolicyClient(TestBalancer balancer) {
        client = balancer.client();
    }

    @Override
    public Answer post(String path, String body, String... headers) {
        send(path, body.length(), body, headers);
        return read();
    }

    @Override
    public void begin(String path, String half) {
        send(path, half.isEmpty() ? 0 : 4, half);
    }

    private void send(String path, int length, String body, String... headers) {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: a\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        client.send(head + "Content-Length: " + length + "\r\n\r\n" + body);
    }

    @Override
    public void continueBody(String half) {
        client.send(half);
    }

    @Override
    public Answer read() {
        RawResponse response = client.read();
        return new Answer(response.status(), List.of(response.head().split("\r\n")), response.body());
    }

    @Override
    public void close() {
        client.close();
    }
}
