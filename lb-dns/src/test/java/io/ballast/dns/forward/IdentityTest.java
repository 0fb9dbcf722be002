package io.ballast.dns.forward;

import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.forward.QueryProperties.Transport;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;

/**
 * Tests that each answer matches its own query, on every path. Sends all combinations of query properties for one name
 * in turn, so that each query is answered with data that was fetched for another query.
 */
class IdentityTest {

    private static final int THREADS = 32;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(42);
    private final TestCertificate certificate = TestCertificate.create();
    private final HttpClient https =
            HttpClient.newBuilder().sslContext(certificate.client()).build();

    @ParameterizedTest
    @EnumSource(AnswerPath.class)
    void responseFieldsBelongToTheirClient(AnswerPath path) throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwarderFixture fixture = new ForwarderFixture(
                        path::applyTo, others -> zone(others, path), encrypted(), control, directory, resolver)) {
            prepare(path, resolver, fixture);
            List<Message> queries = new ArrayList<>();
            for (QueryProperties properties : QueryProperties.all()) {
                queries.add(properties.query(random));
            }
            List<Message> answers =
                    path == AnswerPath.FAILED ? askTogether(queries, fixture) : askInTurn(queries, fixture);
            for (int i = 0; i < queries.size(); i++) {
                IdentityCheck.check(path, QueryProperties.all().get(i), queries.get(i), answers.get(i));
            }
        }
    }

    private List<DnsListenerConfig> encrypted() throws IOException {
        TlsFiles files = certificate.write(directory);
        return List.of(
                Reload.encrypted(Reload.free(), Protocol.DOT, files),
                Reload.encrypted(Reload.free(), Protocol.DOH, files));
    }

    private ZoneFixture zone(ZoneFixture fixture, AnswerPath path) {
        if (path != AnswerPath.OUTGOING) {
            return fixture;
        }
        try {
            Path file = Files.writeString(directory.resolve("zone"), """
                    $TTL 300
                    @ SOA ns1 host 1 7200 3600 1209600 60
                    @ NS ns1
                    ns1 A 192.0.2.53
                    mixed CNAME target.example.net.
                    """);
            return fixture.zone("case.example.org", file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Message> askInTurn(List<Message> queries, ForwarderFixture fixture) throws IOException {
        List<Message> answers = new ArrayList<>();
        StreamClient dot = null;
        try {
            for (int i = 0; i < queries.size(); i++) {
                Transport transport = QueryProperties.all().get(i).transport();
                if (transport == Transport.DOT && dot == null) {
                    dot = connectByTls(fixture);
                }
                answers.add(query(transport, queries.get(i), fixture, dot));
            }
            return answers;
        } finally {
            if (dot != null) {
                dot.close();
            }
        }
    }

    /** Sends many queries at a time, because each answer is slow. */
    private List<Message> askTogether(List<Message> queries, ForwarderFixture fixture) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Message>> answers = new ArrayList<>();
            for (int i = 0; i < queries.size(); i++) {
                Transport transport = QueryProperties.all().get(i).transport();
                Message query = queries.get(i);
                answers.add(threads.submit(() -> {
                    try (StreamClient dot = transport == Transport.DOT ? connectByTls(fixture) : null) {
                        return query(transport, query, fixture, dot);
                    }
                }));
            }
            List<Message> all = new ArrayList<>();
            for (Future<Message> answer : answers) {
                all.add(answer.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    /** @param dot the connection for DNS over TLS */
    private Message query(Transport transport, Message query, ForwarderFixture fixture, @Nullable StreamClient dot)
            throws IOException {
        return switch (transport) {
            case UDP -> fixture.query(query);
            case TCP -> fixture.queryOverTcp(query);
            case DOT -> {
                dot.send(StreamClient.framed(query.toWire()));
                yield dot.receive();
            }
            case DOH -> queryOverHttps(query, fixture.frontend().addresses().get(2));
        };
    }

    private StreamClient connectByTls(ForwarderFixture fixture) throws IOException {
        InetSocketAddress server = fixture.frontend().addresses().get(1);
        return new StreamClient(
                certificate.client().getSocketFactory().createSocket(server.getAddress(), server.getPort()));
    }

    private Message queryOverHttps(Message query, InetSocketAddress server) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.getPort() + "/dns-query"))
                .header("content-type", "application/dns-message")
                .POST(BodyPublishers.ofByteArray(query.toWire()))
                .build();
        try {
            return Messages.parse(
                    https.send(request, BodyHandlers.ofByteArray()).body());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void prepare(AnswerPath path, FakeResolver resolver, ForwarderFixture fixture) throws Exception {
        if (path == AnswerPath.TAILORED) {
            resolver.answers(query -> {
                Message reply = FakeResolver.reply(query, Rcode.NOERROR);
                reply.addRecord(
                        resolver.answer(query).getSection(Section.ANSWER).get(0), Section.ANSWER);
                ClientSubnetOption clientSubnet = SubnetResolver.subnetOf(query);
                if (clientSubnet != null) {
                    reply.addRecord(
                            SubnetResolver.opt(24, AnswerPath.SCOPE, clientSubnet.getAddress()), Section.ADDITIONAL);
                }
                return reply;
            });
        } else if (path == AnswerPath.FAILED) {
            resolver.isSilent();
        } else if (path == AnswerPath.STALE) {
            // Caches one answer for each different question.
            Message last = null;
            for (QueryProperties properties : QueryProperties.all()) {
                last = properties.query(random);
                fixture.query(last);
            }
            resolver.fails(Rcode.SERVFAIL);
            fixture.awaitStale(last); // this answer expires last
        }
    }
}
