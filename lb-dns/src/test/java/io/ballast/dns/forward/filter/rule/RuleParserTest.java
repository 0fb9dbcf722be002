package io.ballast.dns.forward.filter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.FilterTableFixture;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.ListKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the meaning of each kind of line, and which lines are rejected. */
class RuleParserTest {

    private final List<String> rules = new ArrayList<>();
    private final List<RefusedLine> refused = new ArrayList<>();
    private final List<String> broad = new ArrayList<>();
    private int cosmetic;

    private final RuleParser parser = new RuleParser(
            new RuleSink() {
                @Override
                public void onRule(FilterRule rule) {
                    rules.add(rule.toString());
                }

                @Override
                public void onRefused(RefusedLine line) {
                    refused.add(line);
                }

                @Override
                public void onBroad(BroadRule rule) {
                    broad.add(rule.coverage());
                }

                @Override
                public void onCosmetic() {
                    cosmetic++;
                }
            },
            Set.of("children", "living room", "comma, bar | quote '")::contains);

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "||ads.example.com^ > ||ads.example.com^",
                "||ads.example.com > ||ads.example.com^",
                "||ads.example.com^| > ||ads.example.com^",
                "||Ads.Example.COM^ > ||ads.example.com^",
                "||zip^ > ||zip^",
                "||_sip.example.com^ > ||_sip.example.com^",
                "||*.example.com^ > ||*.example.com^",
                "*.example.com > ||*.example.com^",
                "|ads.example.com^ > |ads.example.com^",
                "|ads.example.com| > |ads.example.com^",
                "ads.example.com > |ads.example.com^",
                "ads.example.com. > |ads.example.com^",
                "ads.example.com # a comment > |ads.example.com^",
                "@@||ads.example.com^ > @@||ads.example.com^",
                "@@|ads.example.com^ > @@|ads.example.com^",
                "@@*.example.com > @@||*.example.com^",
                "||ads.example.com^$important > ||ads.example.com^$important",
                "||ads.example.com^$badfilter > ||ads.example.com^$badfilter",
                "@@||a.example^$important,badfilter > @@||a.example^$important,badfilter",
                "/^ad[0-9]+\\./ > /^ad[0-9]+\\./",
                "@@/^ad/ > @@/^ad/",
                "/^ad/$important > /^ad/$important",
                "0.0.0.0 ads.example.com > |ads.example.com^",
                "127.0.53.53 ads.example.com > |ads.example.com^",
                ":: ads.example.com > |ads.example.com^",
                "192.0.2.1 ads.example.com > ads.example.com A 192.0.2.1",
                "2001:DB8::1 ads.example.com > ads.example.com AAAA 2001:db8::1",
                "192.0.2.1 > ||192.0.2.1/32^",
                "192.0.2.0/24 > ||192.0.2.0/24^",
                "||192.0.2.1^ > ||192.0.2.1/32^",
                "@@||2001:db8::/32^ > @@||2001:db8::/32^",
                "a.example#x > |a.example^",
                "a.example#  > |a.example^",
                "192.0.2.0/24#x > ||192.0.2.0/24^",
                "0.0.0.0 a.example#x > |a.example^",
                "0.0.0.0 a.example##x > |a.example^",
                "@@||aax-*.amazon.*^ > @@||aax-*.amazon.*^",
                "||Ads*.example.com^ > ||ads*.example.com^",
                "*ads.example.com > *ads.example.com",
                "ads-*.example.com^ > ads-*.example.com^",
                "|ads*^$important > |ads*^$important",
                "||bücher^ > ||xn--bcher-kva^",
                "bücher.example > |xn--bcher-kva.example^",
                "@@||BÜCHER.example^ > @@||xn--bcher-kva.example^",
                "0.0.0.0 bücher.example > |xn--bcher-kva.example^",
                "||example^$denyallow=a.example|b.example > ||example^$denyallow=a.example|b.example",
                "||example^$important,denyallow=a.example > ||example^$denyallow=a.example,important",
                "*.example^$denyallow=a.example > *.example^$denyallow=a.example",
                "||a.example^$dnsrewrite=192.0.2.1 > ||a.example^$dnsrewrite=192.0.2.1",
                "||a.example^$dnsrewrite=NOERROR;AAAA;2001:db8::1 > ||a.example^$dnsrewrite=2001:db8::1",
                "||a.example^$dnsrewrite=NXDOMAIN > ||a.example^$dnsrewrite=NXDOMAIN",
                "||a.example^$dnsrewrite=NOERROR;; > ||a.example^$dnsrewrite=NOERROR",
                "|a.example^$dnsrewrite=192.0.2.1 > a.example A 192.0.2.1",
                "||a.example^$dnsrewrite=REFUSED > ||a.example^$dnsrewrite=REFUSED",
                "||a.example^$dnsrewrite=refused;; > ||a.example^$dnsrewrite=REFUSED",
                "||a.example^$dnsrewrite=B.example > ||a.example^$dnsrewrite=b.example",
                "|a.example^$dnsrewrite=NOERROR;CNAME;b.example. > |a.example^$dnsrewrite=b.example",
                "||a-*.example^$dnsrewrite=192.0.2.1 > ||a-*.example^$dnsrewrite=192.0.2.1",
                "/^ad/$dnsrewrite=NXDOMAIN > /^ad/$dnsrewrite=NXDOMAIN",
                "||a.example^$client=192.0.2.1 > ||a.example^$client=192.0.2.1",
                "|a.example^$client=192.0.2.0/24|2001:db8::/32 > |a.example^$client=192.0.2.0/24|2001:db8::/32",
                "*.a.example$client=~192.0.2.1 > *.a.example^$client=~192.0.2.1",
                "||a.example^$client=children|~'living room' > ||a.example^$client=children|~'living room'",
                "||a.example^$client='comma\\, bar \\| quote \\'' > ||a.example^$client='comma\\, bar \\| quote \\''",
                "@@||a.example^$client=children > @@||a.example^$client=children",
                "/^ad/$client=192.0.2.1 > /^ad/$client=192.0.2.1",
                "*$client=children > *$client=children",
                "||*^$dnstype=HTTPS > *$dnstype=HTTPS",
                "||a.example^$dnstype=aaaa|TYPE65 > ||a.example^$dnstype=AAAA|HTTPS",
                "||a.example^$dnstype=~A > ||a.example^$dnstype=~A",
                "||a.example^$important,dnstype=A,client=children,dnsrewrite=192.0.2.1 >"
                        + " ||a.example^$dnsrewrite=192.0.2.1,client=children,dnstype=A,important",
                "||a.example^$denyallow=b.a.example,client=children >"
                        + " ||a.example^$denyallow=b.a.example,client=children",
                "ads.example.com CNAME elsewhere.example. > |ads.example.com^$dnsrewrite=elsewhere.example",
                "*.example.com CNAME elsewhere.example. > *.example.com^$dnsrewrite=elsewhere.example",
                "address=/a.example/ > ||a.example^",
                "address=/a.example/# > ||a.example^",
                "address=/.a.example/0.0.0.0 > ||a.example^",
                "address=/a.example/:: > ||a.example^",
                "address=/a.example/192.0.2.1 > ||a.example^$dnsrewrite=192.0.2.1",
                "local=/a.example/ > ||a.example^",
                "server=/a.example/ > ||a.example^",
                "server=/a.example/# > @@||a.example^",
                "ads.example.com CNAME . > ads.example.com CNAME .",
                "*.example.com 60 IN CNAME *. > *.example.com CNAME *.",
                "ads.example.com CNAME rpz-passthru. > @@|ads.example.com^",
                "ads.example.com CNAME ads.example.com. > @@|ads.example.com^",
                "*.example.com IN A 192.0.2.1 > *.example.com A 192.0.2.1",
            })
    void parsesRule(String line, String rule) {
        parser.line(line);

        assertThat(refused).isEmpty();
        assertThat(rules).containsExactly(rule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "||ads.example.com^$third-party",
                "||ads.example.com^$client=",
                "||ads.example.com^$client=nobody",
                "||ads.example.com^$client=~",
                "||ads.example.com^$client=children|",
                "||ads.example.com^$client=192.0.2.1/24",
                "||ads.example.com^$client=children,client=children",
                "||ads.example.com^$client=children,badfilter",
                "192.0.2.0/24$client=children",
                "||ads.example.com^$dnstype=",
                "||ads.example.com^$dnstype=NONE-SUCH",
                "||ads.example.com^$dnstype=A|~AAAA",
                "||ads.example.com^$dnstype=A,dnstype=AAAA",
                "*$dnsrewrite=192.0.2.1",
                "*$client=children,denyallow=a.example",
                "||a.example^$dnsrewrite=NXDOMAIN;A;192.0.2.1",
                "||a.example^$dnsrewrite=NOERROR;CNAME;bad..name",
                "||a.example^$dnsrewrite=NOERROR;TXT;text",
                "||a.example^$dnsrewrite=SERVFAIL",
                "||ads.example.com^$",
                "||ads.example.com/path^",
                "||ads.example.com:8080^",
                "||ads..example.com^",
                "||^",
                "||*^",
                "||.example.com^",
                "|https://ads.example.com^",
                "|ads.example.com",
                "ads.example.com^",
                "ads.example.com|",
                "@@ads.example.com",
                "*",
                ".example.com",
                "-banner-ad.",
                "com",
                "<html>",
                "ads example com",
                "https://ads.example.com/list",
                "192.0.2.1/24",
                "192.0.2.256 ads.example.com",
                "/(/",
                "/(?=a)b/",
                "/a{900}/",
                "/[a-\u2000]/",
                "/\u1c80/",
                "/[a-\\x{1c88}]/",
                "/((a{100}){100}){100}/",
                "/ad/$denyallow=x.example",
                "||a.example^$denyallow=",
                "||a.example^$denyallow=x..example",
                "||a.example^$dnsrewrite=NOERROR;AAAA;192.0.2.1",
                "@@||a.example^$dnsrewrite=192.0.2.1",
                "||a-*.example^$badfilter",
                "||a*b*c*d*e*f*g*h*i*j^",
                "||*.*^",
                "||ads-*.example.com/path",
                "faß.example",
                "address=/a.example",
                "address=/a.example/b.example",
                "address=/#/0.0.0.0",
                "server=/a.example/192.0.2.53",
                "server=192.0.2.53",
                "/ad/$badfilter",
                "||192.0.2.1^$badfilter",
                "/",
                "//",
                "||192.0.2.1.^",
                "0.0.0.0 192.0.2.1",
                "0.0.0.0 bad..name",
                "ads.example.com CNAME rpz-drop.",
                "ads.example.com CNAME elsewhere.example",
                "ads.example.com CNAME rpz-tcp-only.",
                "ads.example.com CNAME *.elsewhere.example.",
                "ads.example.com AAAA 192.0.2.1",
                "32.1.2.0.192.rpz-client-ip CNAME .",
                "* CNAME .",
                "!#include other.txt",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
            })
    void rejectsRule(String line) {
        parser.line("");
        parser.line(line);

        assertThat(rules).isEmpty();
        assertThat(refused).singleElement().satisfies(refusal -> {
            assertThat(refusal.line()).isEqualTo(2);
            assertThat(refusal.text()).isEqualTo(line);
            assertThat(refusal.expectedForm()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "# comment",
                "## heading",
                "####",
                "! comment",
                "; comment",
                "[Adblock Plus 2.0]",
                "127.0.0.1 localhost localhost.localdomain",
                "localhost",
                "fe80::1%lo0 localhost",
                "$TTL 300",
                "example.com NS ns.example.com.",
            })
    void ignoresLine(String line) {
        parser.line(line);

        assertThat(rules).isEmpty();
        assertThat(refused).isEmpty();
        assertThat(cosmetic).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com##.ad",
                "##.ad",
                "example.com#@#.ad",
                "example.com#?#div:has(.ad)",
                "example.com#$#body {}",
                "example.com#%#//scriptlet('x')",
                "example.com$$script[tag-content=\"ad\"]",
            })
    void countsBrowserRules(String line) {
        parser.line(line);

        assertThat(rules).isEmpty();
        assertThat(refused).isEmpty();
        assertThat(cosmetic).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "/./ > every name",
                "/^/ > every name",
                "/.*/ > every name",
                "/[a-z]/ > every name",
                "@@/.*/ > every name",
                "/\\.com$/ > every name below com",
                "||com^ > every name below com",
                "*.com > every name below com",
                "*.com^ > every name below com",
                "||*.com^ > every name below com",
                "address=/com/ > every name below com",
                "||com^$denyallow=x.com > every name below com",
                "0.0.0.0/0 > every address in 0.0.0.0/0",
                "||::/0^ > every address in ::/0",
            })
    void warnsOfBroadRules(String line, String about) {
        parser.line(line);

        assertThat(refused).isEmpty();
        assertThat(rules).hasSize(1);
        assertThat(broad).containsExactly(about);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "||ads.example.com^",
                "ads.example.com",
                "/^ads[0-9]*\\./",
                "||ads-*.com^",
                "||com^$badfilter",
                "10.0.0.0/8",
                "2001:db8::/32",
            })
    void doesNotWarnOfOtherRules(String line) {
        parser.line(line);

        assertThat(rules).hasSize(1);
        assertThat(broad).isEmpty();
    }

    @Test
    void readsAllNamesOfDnsmasqLine() {
        parser.line("address=/a.example/b.example/192.0.2.1");

        assertThat(rules).containsExactly("||a.example^$dnsrewrite=192.0.2.1", "||b.example^$dnsrewrite=192.0.2.1");
    }

    @Test
    void rejectsTextAfterCondition() {
        List.of("!#if (adguard)", "||a.example^", "/b/", "c.example", "0.0.0.0 d.example", "!#endif", "||e.example^")
                .forEach(parser::line);

        assertThat(rules).containsExactly("||e.example^");
        assertThat(refused).extracting(RefusedLine::line).containsExactly(2, 3, 4, 5);
    }

    @Test
    void readsAllNamesOfHostsLine() {
        parser.line("\uFEFF0.0.0.0\ta.example  b.example\tc..example localhost d.example # e.example");

        assertThat(rules).containsExactly("|a.example^", "|b.example^", "|d.example^");
        assertThat(refused).hasSize(1);
    }

    @Test
    void unclosedRecordIsBounded() {
        parser.line("@ SOA ns.example. host.example. (");
        for (int i = 0; i < 30; i++) {
            parser.line("n" + i + ".example.com CNAME .");
        }

        assertThat(rules).hasSize(14).contains("n29.example.com CNAME .");
    }

    @Test
    void rejectsTooLongLines() {
        parser.line("||" + "a.".repeat(RuleParser.MAX_CHARACTERS) + "example^");

        assertThat(rules).isEmpty();
        assertThat(refused)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.text()).hasSizeLessThan(100));
    }

    @Test
    void readsHostsFile() {
        RuleSet read = FilterTableFixture.resource("hosts.txt");
        FilterTableFixture fixture =
                new FilterTableFixture().list(new FilterList(0, "hosts", ListKind.BLOCK, /* isEnabled= */ true, read));

        assertThat(read.size()).isEqualTo(6);
        assertThat(read.refusals()).extracting(RefusedLine::line).containsExactly(14);
        assertThat(fixture.rule("tracker.example.com")).isEqualTo("hosts:9 |tracker.example.com^");
        assertThat(fixture.blocks("www.tracker.example.com")).isFalse();
        assertThat(fixture.blocks("localhost")).isFalse();
        long intranet = fixture.verdict("intranet.example.org");
        assertThat(FilterVerdict.answer(intranet)).isEqualTo(BlockAnswer.ADDRESS);
        assertThat(fixture.table().addresses(intranet))
                .extracting(Object::toString)
                .containsExactly("192.0.2.7", "2001:db8::7");
    }

    @Test
    void readsAdblockList() {
        RuleSet read = FilterTableFixture.resource("adblock.txt");
        FilterTableFixture fixture = new FilterTableFixture()
                .list(new FilterList(0, "adblock", ListKind.BLOCK, /* isEnabled= */ true, read));

        assertThat(read.size()).isEqualTo(14);
        assertThat(read.cosmeticCount()).isEqualTo(4);
        assertThat(read.refusals()).extracting(RefusedLine::line).containsExactly(14, 15, 22);
        assertThat(fixture.blocks("www.ads.example.com")).isTrue();
        assertThat(fixture.allows("www.good.ads.example.com")).isTrue();
        assertThat(fixture.rule("pixel.example.org")).isEqualTo("adblock:8 ||pixel.example.org^$important");
        assertThat(fixture.rule("count17.example.net")).isEqualTo("adblock:10 /^count[0-9]+\\./");
        assertThat(List.of("client.example.com", "type.example.com", "third.example.com", "path.example.com"))
                .noneMatch(fixture::blocks);
        assertThat(List.of("cdn.example.com", "www.exact.example.net", "app.example.com"))
                .noneMatch(fixture::blocks);
        assertThat(List.of("a.cdn.example.com", "after.example.com", "part1.example.com", "xn--bcher-kva.example"))
                .allMatch(fixture::blocks);
    }

    @Test
    void readsResponsePolicyZone() {
        RuleSet read = FilterTableFixture.resource("rpz.zone");
        FilterTableFixture fixture =
                new FilterTableFixture().list(new FilterList(0, "rpz", ListKind.BLOCK, /* isEnabled= */ true, read));

        assertThat(read.size()).isEqualTo(8);
        assertThat(read.refusals()).extracting(RefusedLine::line).containsExactly(15, 16, 18, 19, 20);
        assertThat(FilterVerdict.answer(fixture.verdict("gone.example.com"))).isEqualTo(BlockAnswer.NXDOMAIN);
        assertThat(FilterVerdict.answer(fixture.verdict("a.b.gone.example.com")))
                .isEqualTo(BlockAnswer.NXDOMAIN);
        assertThat(FilterVerdict.answer(fixture.verdict("empty.example.com"))).isEqualTo(BlockAnswer.NODATA);
        assertThat(fixture.allows("fine.gone.example.com")).isTrue();
        assertThat(fixture.blocks("under.example.com")).isTrue();
        assertThat(fixture.table().addresses(fixture.verdict("walled.example.com")))
                .hasSize(2);
        assertThat(fixture.table().targetText(fixture.verdict("elsewhere.example.com")))
                .isEqualTo("walled.example.net");
        assertThat(List.of("dropped.example.com", "outside.example.org", "a.empty.example.com"))
                .noneMatch(fixture::blocks);
    }
}
