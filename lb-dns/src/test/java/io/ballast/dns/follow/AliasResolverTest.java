package io.ballast.dns.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.pool.Registration;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AliasResolverTest {

    private static final String NAME = "lb.provider.example";

    private final ManualScheduler scheduler = new ManualScheduler();
    private final DnsStats stats = new DnsStats(/* shards= */ 1);
    private final AliasResolver followed = new AliasResolver(scheduler, scheduler::nanoTime);
    private final List<PendingLookup> queried = new ArrayList<>();
    private final List<Set<String>> notified = new ArrayList<>();
    private final List<String> failure = new ArrayList<>();
    private final Registration listening = followed.onChange(notified::add);

    /** A query that waits for its reply. */
    private record PendingLookup(String name, AddressFamily family, Consumer<LookupResult> to) {}

    @AfterEach
    void stop() {
        listening.close();
        followed.close();
    }

    @Test
    void newNameIsQueriedImmediatelyForBothFamilies() {
        start();
        followed.follow(Set.of("LB.Provider.Example."));

        assertThat(queried).extracting(PendingLookup::name).containsExactly(NAME, NAME);
        assertThat(queried).extracting(PendingLookup::family).containsExactlyInAnyOrder(AddressFamily.values());
        assertThat(of(NAME).state()).isEqualTo(State.UNKNOWN);

        answer(NAME, 300, "192.0.2.1");
        deny(NAME, AddressFamily.IPV6);

        assertThat(shown("lb.PROVIDER.example.")).containsExactly("192.0.2.1");
        assertThat(followed.addressesOf(NAME, AddressFamily.IPV6).state()).isEqualTo(State.NONE);
        assertThat(followed.addressesOf("other.example", AddressFamily.IPV4))
                .extracting(FollowedAddresses::reason)
                .isEqualTo("not followed");
    }

    @Test
    void namesAddedBeforeStartAreQueriedAtStart() {
        followed.follow(Set.of(NAME));
        assertThat(queried).isEmpty();

        start();

        assertThat(queried).hasSize(2);
    }

    @Test
    void refreshesAfterHalfTtl() {
        start();
        follow(NAME);
        answer(NAME, 300, "192.0.2.1");
        deny(NAME, AddressFamily.IPV6);
        scheduler.advance(Duration.ofSeconds(149));
        assertThat(lookups(AddressFamily.IPV4)).isEmpty();

        scheduler.advance(Duration.ofSeconds(1));

        assertThat(lookups(AddressFamily.IPV4)).hasSize(1);
        assertThat(shown(NAME)).as("meanwhile").containsExactly("192.0.2.1");
        assertThat(of(NAME).age()).isEqualTo(Duration.ofSeconds(150));
        answer(NAME, 300, "192.0.2.2");
        assertThat(shown(NAME)).containsExactly("192.0.2.2");
    }

    @Test
    void remainingNamesContinueAndRemovedNamesEnd() {
        start();
        follow(NAME, "gone.example");
        answer(NAME, 300, "192.0.2.1");
        PendingLookup late = take("gone.example", AddressFamily.IPV4);
        PendingLookup stays = take(NAME, AddressFamily.IPV6);
        queried.clear();

        follow(NAME, "new.example");

        assertThat(queried).extracting(PendingLookup::name).containsExactly("new.example", "new.example");
        assertThat(followed.names()).containsExactlyInAnyOrder(NAME, "new.example");
        assertThat(shown(NAME)).containsExactly("192.0.2.1");
        scheduler.runDue();
        notified.clear();
        late.to().accept(FollowStateTest.addresses(300, "192.0.2.9"));
        scheduler.runDue();
        assertThat(notified).isEmpty();
        assertThat(shown("gone.example")).isEmpty();
        stays.to().accept(new LookupResult.None("nothing", 60));
        assertThat(followed.addressesOf(NAME, AddressFamily.IPV6).state()).isEqualTo(State.NONE);
    }

    @Test
    void preparedNamesAreFollowedBesideActiveOnes() {
        start();
        follow(NAME);
        answer(NAME, 300, "192.0.2.1");
        queried.clear();

        followed.followAlso(Set.of("next.example", NAME));

        assertThat(queried).extracting(PendingLookup::name).containsExactly("next.example", "next.example");
        assertThat(shown(NAME)).containsExactly("192.0.2.1");
        follow("next.example");
        assertThat(queried).as("not once more").hasSize(2);
        assertThat(followed.names()).containsExactly("next.example");
    }

    @Test
    void listenersGetChangesTogether() {
        start();
        follow(NAME, "other.example");
        answer(NAME, 300, "192.0.2.1");
        answer("other.example", 300, "192.0.2.2");
        assertThat(notified).isEmpty();

        scheduler.runDue();

        assertThat(notified).containsExactly(Set.of(NAME, "other.example"));
        notified.clear();
        scheduler.advance(Duration.ofSeconds(150));
        answer(NAME, 300, "192.0.2.1");
        scheduler.runDue();
        assertThat(notified).as("the same").isEmpty();
        scheduler.advance(Duration.ofSeconds(150));
        answer(NAME, 200, "192.0.2.1");
        scheduler.runDue();
        assertThat(notified).as("another TTL").containsExactly(Set.of(NAME));
    }

    @Test
    void listenerMayReadChangedState() {
        AliasResolver direct = new AliasResolver(Runnable::run, scheduler::nanoTime);
        List<String> seen = new ArrayList<>();
        direct.onChange(names -> names.forEach(name -> direct.addressesOf(name, AddressFamily.IPV4)
                .addresses()
                .forEach(address -> seen.add(address.getHostAddress()))));
        direct.follow(Set.of(NAME));

        direct.start(
                (name, family, to) -> to.accept(FollowStateTest.addresses(300, "192.0.2.1")),
                (task, delay) -> {},
                stats.shard(0));

        assertThat(seen).contains("192.0.2.1");
        direct.close();
    }

    @Test
    void queriesInFlightAreLimited() {
        start();
        follow(IntStream.range(0, AliasResolver.MAX_NAMES)
                .mapToObj(i -> "n" + i + ".example")
                .toArray(String[]::new));
        assertThat(queried).hasSize(LookupScheduler.MAX_IN_FLIGHT);

        for (int i = 0; i < 2 * AliasResolver.MAX_NAMES; i++) {
            queried.remove(0).to().accept(new LookupResult.None("nothing", 60));
        }

        assertThat(queried).isEmpty();
        assertThat(followed.states()).isEqualTo(Map.of(State.NONE, AliasResolver.MAX_NAMES));
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(queried).as("again").hasSize(LookupScheduler.MAX_IN_FLIGHT);
    }

    @Test
    void immediateRepliesDoNotRecurse() {
        Set<String> names = IntStream.range(0, AliasResolver.MAX_NAMES)
                .mapToObj(i -> "n" + i + ".example")
                .collect(Collectors.toSet());
        followed.follow(names);

        followed.start(
                (name, family, to) -> {
                    assertThat(new Throwable().getStackTrace()).hasSizeLessThan(200);
                    to.accept(new LookupResult.Failed("gone"));
                },
                this::later,
                stats.shard(0));

        assertThat(followed.states()).isEqualTo(Map.of(State.FAILED, AliasResolver.MAX_NAMES));
        assertThat(stats.sum(DnsCounter.FOLLOW_FAILED)).isEqualTo(2 * AliasResolver.MAX_NAMES);
    }

    @Test
    void tooManyNamesAreRejected() {
        start();
        follow(NAME);
        Set<String> tooMany = IntStream.rangeClosed(0, AliasResolver.MAX_NAMES)
                .mapToObj(i -> "n" + i + ".example")
                .collect(Collectors.toSet());

        assertThatThrownBy(() -> followed.follow(tooMany))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("followed names: 1001 (expected: 0..1000)");

        assertThat(followed.names()).containsExactly(NAME);
    }

    @Test
    void simultaneousFailuresAreReportedOnce() {
        start();
        follow(NAME, "other.example");
        answer(NAME, 10, "192.0.2.1");
        answer("other.example", 10, "192.0.2.2");
        deny(NAME, AddressFamily.IPV6);
        deny("other.example", AddressFamily.IPV6);
        failAllFor(Duration.ofMinutes(10));

        assertThat(failure)
                .containsExactly(
                        "failing [lb.provider.example, other.example]: silence; the last addresses are used for one more day");

        failure.clear();
        answerAll();
        scheduler.advance(Duration.ofMinutes(1));
        answerAll();
        scheduler.advance(AliasResolver.REPORT_DELAY);
        assertThat(failure).containsExactly("recovered [lb.provider.example, other.example]");
    }

    @Test
    void shortFailuresAreNotReported() {
        start();
        follow(NAME);
        take(NAME, AddressFamily.IPV4).to().accept(new LookupResult.Failed("silence"));
        followed.retry();
        answer(NAME, 300, "192.0.2.1");
        scheduler.advance(AliasResolver.REPORT_DELAY);

        assertThat(failure).isEmpty();
    }

    @Test
    void failedNamesAreRetriedWhenResolversChange() {
        start();
        follow(NAME);
        take(NAME, AddressFamily.IPV4).to().accept(new LookupResult.Failed("silence"));
        deny(NAME, AddressFamily.IPV6);
        assertThat(queried).isEmpty();

        followed.retry();

        assertThat(queried).extracting(PendingLookup::family).containsExactly(AddressFamily.IPV4);
    }

    @Test
    void firstAnswersCanBeAwaited() {
        start();
        assertThat(followed.awaitFirstAnswers(Duration.ZERO))
                .as("nothing is followed")
                .isTrue();
        follow(NAME);
        answer(NAME, 300, "192.0.2.1");
        scheduler.runDue();
        assertThat(followed.awaitFirstAnswers(Duration.ZERO)).isFalse();
        take(NAME, AddressFamily.IPV6).to().accept(new LookupResult.Failed("silence"));
        assertThat(followed.awaitFirstAnswers(Duration.ZERO))
                .as("listeners are not told yet")
                .isFalse();
        scheduler.runDue();
        assertThat(followed.awaitFirstAnswers(Duration.ZERO)).isTrue();

        follow(NAME, "new.example");
        assertThat(followed.awaitFirstAnswers(Duration.ZERO)).isFalse();
        follow(NAME);
        assertThat(followed.awaitFirstAnswers(Duration.ZERO))
                .as("it is not followed any more")
                .isTrue();
    }

    @Test
    void repliesAfterCloseAreIgnored() {
        start();
        follow(NAME);
        answer(NAME, 300, "192.0.2.1");
        PendingLookup late = take(NAME, AddressFamily.IPV6);
        followed.close();
        late.to().accept(FollowStateTest.addresses(300, "2001:db8::1"));
        follow("new.example");
        scheduler.advance(Duration.ofDays(2));

        assertThat(queried).isEmpty();
        assertThat(shown(NAME)).containsExactly("192.0.2.1");
        assertThat(followed.addressesOf(NAME, AddressFamily.IPV6).state()).isEqualTo(State.UNKNOWN);
        assertThat(followed.awaitFirstAnswers(Duration.ZERO)).isTrue();
    }

    @Test
    void queriesAreCounted() {
        start();
        follow(NAME);
        answer(NAME, 300, "192.0.2.1");
        take(NAME, AddressFamily.IPV6).to().accept(new LookupResult.Failed("silence"));

        assertThat(stats.sum(DnsCounter.FOLLOW_ANSWERED)).isEqualTo(1);
        assertThat(stats.sum(DnsCounter.FOLLOW_FAILED)).isEqualTo(1);
        assertThat(followed.states()).as("by the worst family").isEqualTo(Map.of(State.FAILED, 1));
    }

    private void start() {
        followed.onFailure(new AliasFailureListener() {
            @Override
            public void onFailing(List<String> names, String reason) {
                failure.add("failing " + names + ": " + reason);
            }

            @Override
            public void onRecovered(List<String> names) {
                failure.add("recovered " + names);
            }
        });
        followed.start(
                (name, family, to) -> queried.add(new PendingLookup(name, family, to)), this::later, stats.shard(0));
    }

    private void later(Runnable task, long delayNanos) {
        scheduler.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void follow(String... names) {
        followed.follow(Set.of(names));
    }

    private void answer(String name, int ttl, String... addresses) {
        take(name, AddressFamily.IPV4).to().accept(FollowStateTest.addresses(ttl, addresses));
    }

    private void deny(String name, AddressFamily family) {
        take(name, family).to().accept(new LookupResult.None("nothing", 600));
    }

    private void answerAll() {
        List<PendingLookup> all = List.copyOf(queried);
        queried.clear();
        for (PendingLookup each : all) {
            each.to()
                    .accept(
                            each.family() == AddressFamily.IPV4
                                    ? FollowStateTest.addresses(300, "192.0.2.1")
                                    : new LookupResult.None("nothing", 600));
        }
    }

    private void failAllFor(Duration time) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds++) {
            scheduler.advance(Duration.ofSeconds(1));
            List<PendingLookup> all = List.copyOf(queried);
            queried.clear();
            all.forEach(each -> each.to().accept(new LookupResult.Failed("silence")));
        }
    }

    private List<PendingLookup> lookups(AddressFamily family) {
        return queried.stream().filter(each -> each.family() == family).toList();
    }

    private PendingLookup take(String name, AddressFamily family) {
        PendingLookup found = queried.stream()
                .filter(each -> each.name().equals(name) && each.family() == family)
                .findFirst()
                .orElseThrow();
        queried.remove(found);
        return found;
    }

    private FollowedAddresses of(String name) {
        return followed.addressesOf(name, AddressFamily.IPV4);
    }

    private List<String> shown(String name) {
        return of(name).addresses().stream().map(InetAddress::getHostAddress).toList();
    }
}
