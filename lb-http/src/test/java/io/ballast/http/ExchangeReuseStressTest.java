package io.ballast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendTls;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stress test: HTTP/2 clients start, continue and cancel requests at random, while backend connections become ready at
 * random times. Each request must arrive complete and without data of other requests, and each response must match its
 * request. The parameter is the seed.
 */
class ExchangeReuseStressTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create();
    private static final int CLIENTS = 3;
    private static final int STEPS = 400;
    private static final int MAX_OPEN = 8;
    private static final int BODY = 600;

    private final Semaphore handshakes = new Semaphore(0);
    private final List<String> faults = new CopyOnWriteArrayList<>();

    /** A running request with {@code sent} bytes of its body sent; a request without a body counts as fully sent. */
    private record Running(Http2Client client, int stream, int id, int sent) {

        boolean isComplete() {
            return sent == BODY;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void requestsAndResponsesMatch(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        BackendTls anyCertificate =
                new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true);
        try (TestBackend backend = TestBackend.accepting(this::serve);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(new Connections().pipelining(4).connectTimeout(TestTimeout.LIMIT))
                        .backendTls(anyCertificate)
                        .backend(backend)
                        .start()) {
            List<Http2Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Http2Client.connect(balancer.port()));
            }
            List<Running> running = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                act(random, step, clients.get(random.nextInt(CLIENTS)), running);
            }
            handshakes.release(10 * STEPS);
            for (Running each : running) {
                Running whole = each.isComplete() ? each : more(each, BODY - each.sent);
                Http2Response response = whole.client.read(whole.stream);
                assertThat(response.body())
                        .as("response to request %d", whole.id)
                        .isEqualTo("id " + whole.id);
            }
            clients.forEach(Http2Client::close);
        }
        assertThat(faults).isEmpty();
    }

    private void act(SplittableRandom random, int id, Http2Client client, List<Running> running) {
        int action = random.nextInt(10);
        if (action < 2) {
            handshakes.release();
        } else if (running.size() < MAX_OPEN && action < 5) {
            running.add(new Running(client, client.get("/" + id), id, BODY));
        } else if (running.size() < MAX_OPEN && action < 7) {
            int stream = client.post("/" + id, "content-length", Integer.toString(BODY));
            running.add(more(new Running(client, stream, id, 0), random.nextInt(BODY)));
        } else if (!running.isEmpty()) {
            Running chosen = running.remove(random.nextInt(running.size()));
            if (action == 7 && !chosen.isComplete()) {
                running.add(more(chosen, BODY - chosen.sent));
            } else {
                chosen.client.send(FrameBytes.reset(chosen.stream, ErrorCode.CANCEL.ordinal()));
                if (random.nextBoolean()) {
                    chosen.client.sync();
                }
            }
        }
    }

    private static Running more(Running each, int bytes) {
        if (bytes == 0) {
            return each;
        }
        int sent = each.sent + bytes;
        byte[] piece = body(each.id).substring(each.sent, sent).getBytes(US_ASCII);
        each.client.send(FrameBytes.data(each.stream, /* ends= */ sent == BODY, piece));
        return new Running(each.client, each.stream, each.id, sent);
    }

    private static String body(int id) {
        return (id + ",").repeat(BODY).substring(0, BODY);
    }

    private void serve(ScriptedConnection plain) throws IOException, InterruptedException {
        if (!handshakes.tryAcquire(TestTimeout.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("the test is over");
        }
        ScriptedConnection connection = plain.secure(CERTIFICATE.server());
        while (true) {
            String head = connection.readHead();
            String[] line = head.split(" ", 3);
            if (line.length < 3 || !line[1].matches("/[0-9]+") || !line[0].matches("GET|POST")) {
                faults.add("no request: " + head);
                return;
            }
            int id = Integer.parseInt(line[1].substring(1));
            String body = connection.readBody(head);
            if (!body.equals(line[0].equals("GET") ? "" : body(id))) {
                faults.add(head + body);
            }
            String answer = "id " + id;
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer);
        }
    }
}
