package io.ballast.dns.forward.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterLimitException;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.forward.filter.rule.RuleLimits;
import io.ballast.dns.forward.filter.rule.RuleSet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilterTableTest {

    private static final int MAX = 1_000_000;

    @Test
    void domainRuleCoversNameAndSubdomains() {
        FilterTableFixture fixture = FilterTableFixture.of("||example.com^");

        assertThat(List.of("example.com", "a.example.com", "a.b.example.com")).allMatch(fixture::blocks);
        assertThat(List.of("notexample.com", "example.com.net", "com", "example.org", "xample.com"))
                .noneMatch(fixture::blocks);
    }

    @Test
    void exactRuleCoversNameOnly() {
        FilterTableFixture fixture = FilterTableFixture.of("example.com");

        assertThat(fixture.blocks("example.com")).isTrue();
        assertThat(fixture.blocks("a.example.com")).isFalse();
    }

    @Test
    void wildcardCoversSubdomainsOnly() {
        FilterTableFixture fixture = FilterTableFixture.of("*.example.com");

        assertThat(fixture.blocks("example.com")).isFalse();
        assertThat(fixture.blocks("a.b.example.com")).isTrue();
        assertThat(fixture.blocks("notexample.com")).isFalse();
    }

    @Test
    void unknownModifierBlocksNothing() {
        assertThat(FilterTableFixture.of("||ads.example^$client=x").blocks("ads.example"))
                .isFalse();
    }

    @Test
    void allowOverridesBlock() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(0, ListKind.BLOCK, "||ads.example^", "||b.a.ads.example^")
                .list(1, ListKind.BLOCK, "@@||a.ads.example^");

        assertThat(fixture.blocks("ads.example")).isTrue();
        assertThat(fixture.rule("a.ads.example")).isEqualTo("list-1:1 @@||a.ads.example^");
        assertThat(fixture.allows("b.a.ads.example")).isTrue();
    }

    @Test
    void importantBlockOverridesAllow() {
        FilterTableFixture fixture = FilterTableFixture.of(
                "@@||a.example^", "||a.example^$important", "@@||b.a.example^$important", "||c.b.a.example^$important");

        assertThat(fixture.blocks("a.example")).isTrue();
        assertThat(fixture.allows("b.a.example")).isTrue();
        assertThat(fixture.allows("c.b.a.example")).isTrue();
    }

    @Test
    void reportsRuleOfLongestName() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(5, ListKind.BLOCK, "||a.example^", "||a.example^", "a.example")
                .list(3, ListKind.BLOCK, "||example^");

        assertThat(fixture.rule("b.a.example")).isEqualTo("list-5:1 ||a.example^");
        assertThat(fixture.rule("b.example")).isEqualTo("list-3:1 ||example^");
    }

    @Test
    void reportsLowestListOfEqualRules() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(9, ListKind.BLOCK, "||a.example^")
                .list(2, ListKind.BLOCK, "", "||a.example^");

        assertThat(fixture.rule("a.example")).isEqualTo("list-2:2 ||a.example^");
        assertThat(fixture.rule("a.example", 1L << 9)).isEqualTo("list-9:1 ||a.example^");
    }

    @Test
    void usesListsOfMaskOnly() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(0, ListKind.BLOCK, "||a.example^", "/^regex/")
                .list(63, ListKind.ALLOW, "||a.example^");

        assertThat(FilterVerdict.isBlocked(fixture.verdict("a.example", 1))).isTrue();
        assertThat(FilterVerdict.isAllowed(fixture.verdict("a.example", 1L << 63)))
                .isTrue();
        assertThat(fixture.verdict("a.example", 2)).isEqualTo(FilterVerdict.NONE);
        assertThat(fixture.verdict("regex.example", 2)).isEqualTo(FilterVerdict.NONE);
        assertThat(FilterVerdict.isBlocked(fixture.verdict("regex.example", 3))).isTrue();
    }

    @Test
    void rulesOfAllowListAllow() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(0, ListKind.BLOCK, "||example^", "||192.0.2.1^")
                .list(1, ListKind.ALLOW, "0.0.0.0 a.example", "/^regex/", "||b.example^", "192.0.2.1");

        assertThat(List.of("a.example", "regex.example", "c.b.example")).allMatch(fixture::allows);
        assertThat(fixture.blocks("d.example")).isTrue();
        assertThat(FilterVerdict.isAllowed(address(fixture, "192.0.2.1"))).isTrue();
    }

    @Test
    void ignoresDisabledLists() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(new FilterList(
                        0,
                        "off",
                        ListKind.BLOCK,
                        /* isEnabled= */ false,
                        FilterTableFixture.rules("||a.example^", "/a/", "192.0.2.1")));

        assertThat(fixture.verdict("a.example")).isEqualTo(FilterVerdict.NONE);
        assertThat(fixture.table().size()).isZero();
        assertThat(fixture.table().hasNoNetworkRules()).isTrue();
    }

    @Test
    void badfilterCancelsRuleInAllLists() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(0, ListKind.BLOCK, "||a.example^", "a.example", "||b.example^$important")
                .list(1, ListKind.BLOCK, "||a.example^$badfilter", "||b.example^$badfilter");

        assertThat(fixture.rule("a.example")).isEqualTo("list-0:2 |a.example^");
        assertThat(fixture.blocks("c.a.example")).isFalse();
        assertThat(FilterVerdict.isBlocked(fixture.verdict("c.a.example", 1))).isTrue();
        assertThat(fixture.blocks("b.example")).isTrue();
    }

    @Test
    void patternsAreTriedIfTheyRankHigher() {
        FilterTableFixture fixture =
                FilterTableFixture.of("/^ad[0-9]+\\.example$/", "@@/^ad7/", "||ad8.example^", "@@||ad9.example^");

        assertThat(fixture.rule("ad1.example")).isEqualTo("list-0:1 /^ad[0-9]+\\.example$/");
        assertThat(fixture.allows("ad7.example")).isTrue();
        assertThat(fixture.rule("ad8.example")).isEqualTo("list-0:3 ||ad8.example^");
        assertThat(fixture.allows("ad9.example")).isTrue();
        assertThat(fixture.blocks("ad1.example.com")).isFalse();
    }

    @Test
    void matchesUpperCaseInPattern() {
        assertThat(FilterTableFixture.of("/^ADS\\./").blocks("ads.example")).isTrue();
    }

    @Test
    void matchesAddressesByLongestPrefix() {
        FilterTableFixture fixture =
                FilterTableFixture.of("192.0.2.0/24", "@@||192.0.2.128/25^", "2001:db8::/32", "203.0.113.9");

        assertThat(FilterVerdict.isBlocked(address(fixture, "192.0.2.1"))).isTrue();
        assertThat(FilterVerdict.isAllowed(address(fixture, "192.0.2.129"))).isTrue();
        assertThat(FilterVerdict.isBlocked(address(fixture, "2001:db8:1::1"))).isTrue();
        assertThat(address(fixture, "2001:db9::1")).isEqualTo(FilterVerdict.NONE);
        assertThat(address(fixture, "203.0.113.8")).isEqualTo(FilterVerdict.NONE);
        assertThat(fixture.table().origin(address(fixture, "203.0.113.9")))
                .isEqualTo(new RuleOrigin(0, "list-0", 4, "||203.0.113.9/32^"));
    }

    private static long address(FilterTableFixture fixture, String text) {
        IpAddress address = IpAddress.parse(text);
        return fixture.table().evaluateAddress(address.high(), address.low(), FilterTable.ALL_LISTS);
    }

    @Test
    void distinguishesAddressesOfNames() {
        FilterTableFixture fixture = new FilterTableFixture()
                .list(0, ListKind.BLOCK, "||first.example^")
                .list(1, ListKind.BLOCK, "192.0.2.1 a.example b.example", "192.0.2.2 b.example");

        assertThat(fixture.table().addresses(fixture.verdict("a.example"))).hasSize(1);
        assertThat(fixture.table().addresses(fixture.verdict("b.example"))).hasSize(2);
    }

    @Test
    void matchesNameInMessage() {
        FilterTableFixture fixture = FilterTableFixture.of("||ads.example^");
        byte[] message = {9, 9, 1, 'X', 3, 'A', 'd', 's', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0, 9};
        QueryName scratch = new QueryName(new NameHash(1, 2));

        assertThat(FilterVerdict.isBlocked(fixture.table().evaluate(scratch, message, 2, message.length, 1)))
                .isTrue();
        assertThat(fixture.table().evaluate(scratch, message, 2, 6, 1)).isEqualTo(FilterVerdict.NONE);
    }

    @Test
    void rejectsTooManyRules() throws FilterLimitException {
        RuleSet two = RuleSet.of(List.of("a.example", "b.example"), 2);

        assertThatThrownBy(() -> RuleSet.of(List.of("a.example", "b.example"), 1))
                .isInstanceOf(FilterLimitException.class)
                .hasMessage("rules: 2 (expected: at most 1)");
        assertThatThrownBy(() -> FilterTable.compile(
                        NameHash.random(),
                        List.of(
                                new FilterList(0, "a", ListKind.BLOCK, /* isEnabled= */ true, two),
                                new FilterList(1, "b", ListKind.BLOCK, /* isEnabled= */ true, two)),
                        3))
                .isInstanceOf(FilterLimitException.class)
                .hasMessage("rules: 4 (expected: at most 3)");
    }

    @Test
    void limitsUnindexedPatterns() {
        assertRefused(
                RuleLimits.MAX_WITHOUT_SUFFIX + 1,
                "/x%d/",
                "regular expressions and patterns that do not end with a name: 1001 (expected: at most 1000)");
    }

    @Test
    void limitsPatternsWithSameSuffix() {
        assertRefused(
                RuleLimits.MAX_PER_SUFFIX + 1,
                "||a%d*.x.example^",
                "patterns that end with x.example: 1001 (expected: at most 1000)");
    }

    @Test
    void limitsConditionalRulesOfName() {
        assertRefused(
                RuleLimits.MAX_PER_SUFFIX + 1,
                "||x.example^$client=192.0.2.1,dnstype=TYPE%d",
                "patterns that end with x.example: 1001 (expected: at most 1000)");
    }

    @Test
    void limitsAllPatterns() {
        assertRefused(
                RuleLimits.MAX_PATTERNS + 1,
                "||a*.x%d.example^",
                "wildcard patterns and regular expressions: 100001 (expected: at most 100000)");
    }

    private static void assertRefused(int rules, String pattern, String message) {
        List<String> lines =
                IntStream.range(1, rules + 1).mapToObj(pattern::formatted).toList();

        assertThatThrownBy(() -> RuleSet.of(lines, MAX))
                .isInstanceOf(FilterLimitException.class)
                .hasMessage(message);
    }

    @Test
    void limitsPatternsOfAllListsTogether() throws FilterLimitException {
        RuleSet half = RuleSet.of(
                IntStream.rangeClosed(0, RuleLimits.MAX_PER_SUFFIX / 2)
                        .mapToObj("||a%d*.x.example^"::formatted)
                        .toList(),
                MAX);

        assertThatThrownBy(() -> FilterTable.check(
                        List.of(
                                new FilterList(0, "a", ListKind.BLOCK, /* isEnabled= */ true, half),
                                new FilterList(1, "b", ListKind.BLOCK, /* isEnabled= */ true, half)),
                        MAX))
                .isInstanceOf(FilterLimitException.class)
                .hasMessage("patterns that end with x.example: 1001 (expected: at most 1000)");
    }

    @Test
    void conditionalRulesNeedQuery() {
        FilterTableFixture fixture = FilterTableFixture.of("||a.example^$dnstype=A");
        RuleContext query =
                new RuleContext().setQuery(RecordType.A, /* clientHigh= */ 0, /* clientLow= */ 1, "default");

        assertThat(fixture.verdict("a.example")).isEqualTo(FilterVerdict.NONE);
        assertThat(FilterVerdict.isBlocked(
                        fixture.table().evaluate(fixture.name("a.example"), FilterTable.ALL_LISTS, query)))
                .isTrue();
    }

    @Test
    void rejectsDuplicateId() {
        FilterTableFixture fixture = FilterTableFixture.of("a.example");

        assertThatThrownBy(() -> fixture.list(0, ListKind.BLOCK, "b.example"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Compares a table of many rules in three lists with plain maps of names. The names have few different labels, so
     * that many rules match the same query.
     */
    @Test
    void matchesReferenceMap() throws FilterLimitException {
        SplittableRandom random = new SplittableRandom(7);
        List<Map<String, Integer>> trees = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());
        List<List<String>> lines = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 100_000; i++) {
            int list = random.nextInt(3);
            String name = name(random);
            lines.get(list).add("||" + name + "^");
            trees.get(list).putIfAbsent(name, lines.get(list).size());
        }
        FilterTableFixture fixture = new FilterTableFixture();
        for (int list = 0; list < 3; list++) {
            RuleSet rules = RuleSet.of(lines.get(list), MAX);
            fixture.list(new FilterList(list, "list-" + list, ListKind.BLOCK, /* isEnabled= */ true, rules));
        }

        assertThat(fixture.table().size()).isEqualTo(100_000);
        assertThat(fixture.table().bytes()).isLessThan(60L * 100_000);
        for (int i = 0; i < 20_000; i++) {
            String queriedName = name(random);
            int mask = random.nextInt(8);
            assertThat(fixture.rule(queriedName, mask))
                    .as("%s by %s", queriedName, mask)
                    .isEqualTo(expected(trees, queriedName, mask));
        }
    }

    private static String name(SplittableRandom random) {
        StringBuilder name = new StringBuilder();
        for (int labels = 1 + random.nextInt(3); labels > 0; labels--) {
            name.append("n").append(random.nextInt(200)).append('.');
        }
        return name.append("t").append(random.nextInt(3)).toString();
    }

    private static String expected(List<Map<String, Integer>> trees, String queriedName, int mask) {
        for (String name = queriedName; ; name = name.substring(name.indexOf('.') + 1)) {
            for (int list = 0; list < 3; list++) {
                Integer line = (mask >>> list & 1) == 0 ? null : trees.get(list).get(name);
                if (line != null) {
                    return "list-" + list + ":" + line + " ||" + name + "^";
                }
            }
            if (name.indexOf('.') < 0) {
                return "none";
            }
        }
    }

    @Test
    void duplicateRulesUseOneEntry() {
        FilterTableFixture fixture = FilterTableFixture.of(
                IntStream.range(0, 50_000).mapToObj(i -> "||a.example^").toArray(String[]::new));

        assertThat(fixture.rule("a.example")).isEqualTo("list-0:1 ||a.example^");
    }

    @Test
    void lookupAllocatesNothing() {
        FilterTableFixture fixture = FilterTableFixture.of(
                "||a.example^",
                "@@||b.a.example^",
                "c.example",
                "||c.example^$badfilter",
                "192.0.2.0/24",
                "192.0.2.7 d.example");
        QueryName name = fixture.name("x.b.a.example");
        QueryName other = new FilterTableFixture().name("d.example");
        IpAddress address = IpAddress.parse("192.0.2.1");
        FilterTable table = fixture.table();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        long allocated = Long.MAX_VALUE;
        for (int run = 0; run < 3; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                sum += table.evaluate(name, -1);
                long verdict = table.evaluate(other, -1);
                sum += table.addresses(verdict).size();
                sum += table.evaluateAddress(address.high(), address.low(), -1);
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(sum).isNotZero();
        assertThat(allocated).isLessThan(10_000);
    }
}
