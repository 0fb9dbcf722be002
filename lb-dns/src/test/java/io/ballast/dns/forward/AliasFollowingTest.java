package io.ballast.dns.forward;

import static io.ballast.dns.forward.ForwarderFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.follow.AliasFailureListener;
import io.ballast.dns.follow.AliasResolver;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests alias targets that are resolved through the forwarder, over real sockets and with a manual clock. */
class AliasFollowingTest {

    private static final String NAME = "lb.provider.example";
    private static final String OTHER = "other.provider.example";
    private static final Name EDGE = Messages.name("edge.provider.example");

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong();
    private final Background compiler = Background.of("test-compile", /* max= */ 1);
    private final List<String> failure = new CopyOnWriteArrayList<>();
    private final List<Set<String>> notified = new CopyOnWriteArrayList<>();
    private ControlPlane control;
    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        control = ControlPlane.start(Clock.systemUTC());
        resolver = new FakeResolver("192.0.2.1");
    }

    @AfterEach
    void stop() throws IOException {
        compiler.close();
        resolver.close();
        control.close();
    }

    @Test
    void addressesChangeAndSurviveResolverFailure() throws IOException {
        try (ForwarderFixture fixture = fixture()) {
            AliasResolver followed = follow(fixture);
            assertThat(shown(followed, AddressFamily.IPV4)).containsExactly("192.0.2.1");
            assertThat(answered(fixture)).containsExactly("192.0.2.1");
            assertThat(of(followed).ttlSeconds()).isEqualTo(FakeResolver.TTL / 2);
            assertThat(followed.addressesOf(NAME, AddressFamily.IPV6).state()).isEqualTo(State.NONE);

            resolver.answers(this::edge);
            pass(followed, Duration.ofSeconds(FakeResolver.TTL / 2));
            await(() -> shown(followed, AddressFamily.IPV4).equals(List.of("192.0.2.7", "192.0.2.8")));
            await(() -> shown(followed, AddressFamily.IPV6).equals(List.of("2001:db8:0:0:0:0:0:7")));
            assertThat(of(followed).ttlSeconds())
                    .as("half of the shortest of the chain")
                    .isEqualTo(30);
            await(() -> notified.contains(Set.of(NAME)));
            await(() -> answered(fixture).equals(List.of("192.0.2.7", "192.0.2.8")));

            resolver.fails(Rcode.SERVFAIL);
            pass(followed, Duration.ofMinutes(1));
            await(() -> of(followed).state() == State.STALE);
            assertThat(shown(followed, AddressFamily.IPV4)).containsExactly("192.0.2.7", "192.0.2.8");
            assertThat(of(followed).ttlSeconds()).isEqualTo(30);
            assertThat(of(followed).reason()).startsWith("the resolvers returned SERVFAIL");
            await(() -> failure.contains("failing [lb.provider.example]"));

            resolver.answersAgain();
            pass(followed, Duration.ofSeconds(5));
            await(() -> of(followed).state() == State.KNOWN);
            assertThat(shown(followed, AddressFamily.IPV4)).containsExactly("192.0.2.1");
        }
    }

    @Test
    void followedNamesDoNotShareClientCache() throws IOException {
        try (ForwarderFixture fixture = fixture()) {
            AliasResolver followed = follow(fixture);
            fixture.query(NAME, Type.A);
            assertThat(queries(Type.A))
                    .as("for the client, and for the service")
                    .isEqualTo(2);

            pass(followed, Duration.ofSeconds(FakeResolver.TTL / 2));

            await(() -> queries(Type.A) == 3);
            assertThat(fixture.frontend()
                            .forwarding()
                            .cache()
                            .orElseThrow()
                            .statistics()
                            .entries())
                    .isEqualTo(1);
            assertThat(fixture.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void reloadQueriesNewResolversImmediately() throws IOException {
        resolver.fails(Rcode.REFUSED);
        try (ForwarderFixture fixture = fixture()) {
            AliasResolver followed = follow(fixture);
            assertThat(of(followed).state()).isEqualTo(State.FAILED);
            assertThat(of(followed).reason()).isEqualTo("the resolvers returned REFUSED");
            resolver.answersAgain();

            fixture.reload(
                    config -> config.toBuilder().timeout(Duration.ofSeconds(9)).build());

            await(() -> of(followed).state() == State.KNOWN);
        }
    }

    @Test
    void unknownWithoutForwarding() throws IOException {
        try (ForwarderFixture fixture = fixture()) {
            AliasResolver followed = fixture.frontend().aliasResolver();
            fixture.stopForwarding();
            followed.follow(Set.of(OTHER));

            assertThat(followed.awaitFirstAnswers(Duration.ofSeconds(10))).isTrue();
            FollowedAddresses other = followed.addressesOf(OTHER, AddressFamily.IPV4);
            assertThat(other.state()).isEqualTo(State.FAILED);
            assertThat(other.reason()).isEqualTo("dns.forward is no longer configured");
        }
    }

    @Test
    void closeDoesNotWaitForAnswer() throws IOException {
        ForwarderFixture fixture = fixture();
        resolver.isSilent();
        AliasResolver followed = fixture.frontend().aliasResolver();
        followed.follow(Set.of(OTHER));
        await(() -> queries(Type.A) > 1);

        fixture.close();

        assertThat(followed.addressesOf(OTHER, AddressFamily.IPV4).state()).isEqualTo(State.UNKNOWN);
        assertThat(fixture.frontend().stats().sum(DnsCounter.FOLLOW_FAILED)).isZero();
    }

    private ForwarderFixture fixture() throws IOException {
        return new ForwarderFixture(
                AliasFollowingTest::brief,
                fixture -> fixture.zone("example.com", Routes.service("@", Routes.alias(NAME))),
                control,
                directory,
                nanos::get,
                compiler,
                resolver);
    }

    private static DnsForwardConfig brief(DnsForwardConfig config) {
        return config.toBuilder()
                .timeout(Duration.ofSeconds(10))
                .retryAfter(Duration.ofSeconds(10))
                .build();
    }

    private AliasResolver follow(ForwarderFixture fixture) {
        AliasResolver followed = fixture.frontend().aliasResolver();
        followed.onChange(notified::add);
        followed.onFailure(new AliasFailureListener() {
            @Override
            public void onFailing(List<String> names, String reason) {
                failure.add("failing " + names);
            }

            @Override
            public void onRecovered(List<String> names) {
                failure.add("recovered " + names);
            }
        });
        return followed;
    }

    private void pass(AliasResolver followed, Duration time) {
        nanos.addAndGet(time.toNanos());
        followed.wake();
    }

    /**
     * Returns an alias to {@link #EDGE} with its unsorted addresses, and records that do not belong to the
     * answer.
     */
    private Message edge(Message query) {
        Name name = query.getQuestion().getName();
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        reply.addRecord(new CNAMERecord(name, DClass.IN, 60, EDGE), Section.ANSWER);
        try {
            if (query.getQuestion().getType() == Type.A) {
                InetAddress other = InetAddress.getByName("2001:db8::66");
                reply.addRecord(new AAAARecord(EDGE, DClass.IN, 90, other), Section.ANSWER);
                reply.addRecord(new ARecord(EDGE, DClass.IN, 90, InetAddress.getByName("192.0.2.8")), Section.ANSWER);
                reply.addRecord(new ARecord(EDGE, DClass.IN, 90, InetAddress.getByName("192.0.2.7")), Section.ANSWER);
                reply.addRecord(new ARecord(name, DClass.IN, 90, InetAddress.getByName("192.0.2.66")), Section.ANSWER);
            } else {
                InetAddress address = InetAddress.getByName("2001:db8::7");
                reply.addRecord(new AAAARecord(EDGE, DClass.IN, 90, address), Section.ANSWER);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return reply;
    }

    /** Returns the record data that a client gets for the service {@code example.com}. */
    private static List<String> answered(ForwarderFixture fixture) {
        try {
            return fixture.query("example.com", Type.A).getSection(Section.ANSWER).stream()
                    .map(Record::rdataToString)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long queries(int type) {
        return resolver.queries().stream()
                .filter(query -> query.getQuestion().getType() == type)
                .count();
    }

    private static FollowedAddresses of(AliasResolver followed) {
        return followed.addressesOf(NAME, AddressFamily.IPV4);
    }

    private static List<String> shown(AliasResolver followed, AddressFamily family) {
        return followed.addressesOf(NAME, family).addresses().stream()
                .map(InetAddress::getHostAddress)
                .toList();
    }
}
