package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests cached answers for networks (RFC 7871 section 7.3). */
class ScopedAnswersTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = UpstreamMessage.NOW;
    private static final String NAME = "www.example.com";

    private final AnswerCache cache = new AnswerCache(1 << 20, Duration.ofSeconds(100));
    private final CacheReader reader = cache.reader();

    private static QuerySubnet querySubnet(String text) {
        QuerySubnet querySubnet = new QuerySubnet();
        if (text.equals("none")) {
            querySubnet.setNone();
        } else if (text.equals("0")) {
            querySubnet.setOptOut();
        } else {
            IpAddress address = IpAddress.parse(text.substring(0, text.indexOf('/')));
            int bits = Integer.parseInt(text.substring(text.indexOf('/') + 1));
            boolean isLongest = bits >= (address.isIpv4() ? 24 : 56);
            querySubnet.setNetwork(address.high(), address.low(), bits, isLongest, /* isFromClientOption= */ true);
        }
        return querySubnet;
    }

    private static Question question(String subnet) {
        return UpstreamMessage.question(NAME, Type.A)
                .withSubnet(querySubnet(subnet).toSubnet());
    }

    private static CacheEntry answer(int scope, int ttl) {
        return UpstreamMessage.answering(NAME, Type.A)
                .answer(NAME + ". " + ttl + " IN A 192.0.2.1")
                .kept()
                .withScope(scope);
    }

    private CacheEntry put(String subnet, int scope) {
        CacheEntry answer = answer(scope, 60);
        cache.put(question(subnet), answer);
        return answer;
    }

    private @Nullable CacheEntry find(String subnet, long nowNanos) {
        Query query = UpstreamMessage.parsed(Messages.query(NAME, Type.A).toWire());
        CacheEntry found =
                reader.find(query.name(), Type.A, /* flags= */ 0, /* group= */ 0, querySubnet(subnet), nowNanos);
        assertThat(cache.find(question(subnet), nowNanos))
                .as("both lookups find the same")
                .isSameAs(found);
        return found;
    }

    private @Nullable CacheEntry find(String subnet) {
        return find(subnet, NOW);
    }

    @Test
    void findsLongestPrefix() {
        CacheEntry everyone = put("203.0.113.0/24", 0);
        CacheEntry wide = put("198.51.100.0/24", 8);
        CacheEntry middle = put("198.51.100.0/24", 16);
        CacheEntry narrow = put("198.51.100.0/24", 24);

        assertThat(find("198.51.100.0/24")).isSameAs(narrow);
        assertThat(find("198.51.101.0/24")).isSameAs(middle);
        assertThat(find("198.51.100.0/23")).isSameAs(middle);
        assertThat(find("198.52.0.0/24")).isSameAs(wide);
        assertThat(find("198.0.0.0/8")).isSameAs(wide);
        for (String other : List.of("198.0.0.0/7", "203.0.113.0/24", "2001:db8::/56", "none", "0")) {
            assertThat(find(other)).as(other).isSameAs(everyone);
        }
    }

    @Test
    void distinguishesAddressFamilies() {
        CacheEntry six = put("::/56", 56);
        CacheEntry all = put("::/1", 1);

        assertThat(find("::/56")).isSameAs(six);
        assertThat(find("::/8")).isSameAs(all);
        assertThat(find("0.0.0.0/24")).isNull();
        assertThat(find("127.0.0.0/24")).isNull();
    }

    @Test
    void distinguishesAnswersWithoutNetwork() {
        CacheEntry own = put("none", ClientSubnet.UNKNOWN_SCOPE);
        CacheEntry optOut = put("0", ClientSubnet.UNKNOWN_SCOPE);

        assertThat(find("none")).isSameAs(own);
        assertThat(find("0")).isSameAs(optOut);
        assertThat(find("198.51.100.0/24")).isNull();
        assertThat(find("2001:db8::/56")).isNull();
    }

    @Test
    void longerScopeAppliesToSentNetworkOnly() {
        CacheEntry shorter = put("198.51.0.0/16", 24);
        CacheEntry longest = put("203.0.113.0/24", 32);

        assertThat(find("198.51.0.0/16")).isSameAs(shorter);
        assertThat(find("198.51.0.0/24")).as("a longer prefix").isNull();
        assertThat(find("203.0.113.0/24")).isSameAs(longest);
    }

    @Test
    void freshAnswerPrecedesStaleAnswer() {
        CacheEntry everyone = answer(0, 600);
        cache.put(question("203.0.113.0/24"), everyone);
        CacheEntry own = put("198.51.100.0/24", 24);

        assertThat(find("198.51.100.0/24", NOW + 59 * SECOND)).isSameAs(own);
        assertThat(find("198.51.100.0/24", NOW + 61 * SECOND)).isSameAs(everyone);
        assertThat(find("198.51.100.0/24", NOW + 650 * SECOND)).as("stale").isSameAs(everyone);
        assertThat(find("198.51.100.0/24", NOW + 701 * SECOND)).isNull();
    }

    @Test
    void failureDelaysRefreshForItsNetwork() {
        CacheEntry wide = put("198.51.100.0/24", 16);
        long failed = NOW + 70 * SECOND;
        CacheEntry failure = CacheEntry.failure(UpstreamMessage.question(NAME, Type.A), Rcode.SERVFAIL, 5, failed);
        cache.put(question("198.51.100.0/24"), failure);
        cache.put(question("203.0.113.0/24"), failure);

        assertThat(wide.isRefreshPostponed()).isFalse();
        assertThat(find("198.51.7.0/24", failed).isRefreshPostponed()).isTrue();
        assertThat(find("203.0.113.0/24", failed)).isSameAs(failure);
        assertThat(find("203.0.112.0/24", failed)).isNull();

        CacheEntry later = UpstreamMessage.answering(NAME, Type.A)
                .answer(NAME + ". 600 IN A 192.0.2.1")
                .kept()
                .withScope(8);
        cache.put(question("203.0.113.0/24"), later);
        assertThat(find("203.0.113.0/24", failed)).as("it is over").isSameAs(later);
    }

    @Test
    void oneCallerClaimsRefresh() {
        CacheEntry wide = put("198.51.100.0/24", 16);
        put("203.0.113.0/24", 24);

        assertThat(cache.claimRefresh(question("198.51.7.0/24"), wide, NOW + SECOND))
                .isTrue();
        assertThat(cache.claimRefresh(question("198.51.8.0/24"), wide, NOW + SECOND))
                .isFalse();
        assertThat(find("198.51.9.0/24").isRefreshPostponed()).isTrue();
        assertThat(find("203.0.113.0/24").isRefreshPostponed()).isFalse();
    }

    @Test
    void nameIsBoundedAndAccounted() {
        put("198.51.0.0/24", 24);
        long one = cache.statistics().bytes();
        for (int i = 1; i < 250; i++) {
            put("198.51." + i + ".0/24", 24);
        }

        assertThat(cache.statistics().entries()).isOne();
        assertThat(cache.statistics().bytes()).isBetween(100 * one / 2, 128 * one);
        assertThat(cache.hottest()).hasSize(ScopedAnswers.MAX_ENTRIES);
        assertThat(find("198.51.249.0/24")).isNotNull();
        assertThat(cache.flush()).isEqualTo(ScopedAnswers.MAX_ENTRIES);
    }

    /** Compares with a linear search over nested networks. */
    @Test
    void matchesLinearSearch() {
        SplittableRandom random = new SplittableRandom(7);
        record ModelEntry(String network, int bits, CacheEntry answer) {}
        List<ModelEntry> model = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String network = network(random);
            int scope = 1 + random.nextInt(24);
            CacheEntry answer = put(network + "/24", scope);
            String cut = querySubnet(network + "/24").toSubnet().truncate(scope).toString();
            model.removeIf(kept -> kept.network().equals(cut));
            model.add(new ModelEntry(cut, scope, answer));
        }
        for (int i = 0; i < 1000; i++) {
            String network = network(random);
            CacheEntry expected = model.stream()
                    .filter(kept -> querySubnet(network + "/24")
                            .toSubnet()
                            .truncate(kept.bits())
                            .toString()
                            .equals(kept.network()))
                    .max(Comparator.comparingInt(ModelEntry::bits))
                    .map(ModelEntry::answer)
                    .orElse(null);
            assertThat(find(network + "/24")).as("for %s, seed 7", network).isSameAs(expected);
        }
    }

    private static String network(SplittableRandom random) {
        return 4 + random.nextInt(2) + "." + random.nextInt(3) + "." + random.nextInt(8) + ".0";
    }
}
