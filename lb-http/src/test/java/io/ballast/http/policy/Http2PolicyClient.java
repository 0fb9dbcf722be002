package io.ballast.http.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.TestBalancer;

/** A client of HTTP/2. */
final class Http2PolicyClient implements PolicyClient {

    private final Http2Client client;
    private int stream;

    Http2PolicyClient(TestBalancer balancer) {
        client = Http2Client.connect(balancer.port());
    }

    @Override
    public Answer post(String path, String body, String... headers) {
        stream = client.request(/* ends= */ body.isEmpty(), "POST", path, headers);
        if (!body.isEmpty()) {
            client.upload(stream, /* ends= */ true, body.getBytes(US_ASCII));
        }
        return read();
    }

    @Override
    public void begin(String path, String half) {
        stream = client.request(/* ends= */ half.isEmpty(), "POST", path);
        if (!half.isEmpty()) {
            client.upload(stream, /* ends= */ false, half.getBytes(US_ASCII));
        }
    }

    @Override
    public void continueBody(String half) {
        client.upload(stream, /* ends= */ true, half.getBytes(US_ASCII));
    }

    @Override
    public Answer read() {
        Http2Response response = client.read(stream);
        return new Answer(response.status(), response.head(), response.body());
    }

    @Override
    public void close() {
        client.close();
    }
}
