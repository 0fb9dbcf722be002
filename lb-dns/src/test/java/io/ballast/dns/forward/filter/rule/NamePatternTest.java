package io.ballast.dns.forward.filter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.forward.filter.FilterTableFixture;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which names match a pattern. */
class NamePatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "||aax-*.amazon.*^ aax-eu.amazon.de aax.amazon.de",
                "||aax-*.amazon.*^ x.aax-us-east.amazon.co.uk xaax-us.amazon.com",
                "||ads*.example.com^ ads.example.com xads.example.com",
                "||ads*.example.com^ ads1.b.example.com ads1.example.com.evil",
                "|ads*.example^ ads-1.example www.ads-1.example",
                "*ads.example.com^ xads.example.com ads.example.net",
                "||ads* www.adserver.example bads.example",
                "ads*x^ bads.x ads.xy",
                "||*-ad.example^ b.c-ad.example c-ad.example.net",
                "||a*b*a^ aba ab",
                "||example^$denyallow=a.example|b.example c.example x.a.example",
                "||example^$denyallow=a.example xa.example a.example",
            })
    void matchesFirstAndNotSecond(String pattern, String found, String missing) {
        assertThat(FilterTableFixture.of(pattern).blocks(found)).as(found).isTrue();
        assertThat(FilterTableFixture.of(pattern).blocks(missing)).as(missing).isFalse();
    }

    @Test
    void allowPatternOverridesBlock() {
        FilterTableFixture table = FilterTableFixture.of("||amazon.de^", "@@||aax-*.amazon.*^");

        assertThat(table.blocks("www.amazon.de")).isTrue();
        assertThat(table.allows("aax-eu.amazon.de")).isTrue();
    }

    @Test
    void patternsWithDomainSuffixAreIndexed() {
        String[] lines = new String[5_000];
        Arrays.setAll(lines, i -> "||ads-*.n" + i + ".example^");
        FilterTableFixture table = FilterTableFixture.of(lines);

        assertThat(table.blocks("ads-1.n4999.example")).isTrue();
        assertThat(table.blocks("ads.n4999.example")).isFalse();
        assertThat(table.rule("x.ads-.n17.example")).isEqualTo("list-0:18 ||ads-*.n17.example^");
    }

    /** Compares patterns with equivalent regular expressions. The small alphabet makes matches likely. */
    @Test
    void matchesEquivalentRegex() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            String begin = new String[] {"||", "|", ""}[random.nextInt(3)];
            String body = text(random, "ab.*", 1 + random.nextInt(6));
            String end = random.nextBoolean() ? "^" : "";
            String name = text(random, "ab.", 1 + random.nextInt(7));
            if (body.indexOf('a') < 0 && body.indexOf('b') < 0) {
                continue;
            }
            String expression = (begin.equals("||") ? "(?:^|\\.)" : begin.equals("|") ? "^" : "")
                    + body.replace(".", "\\.").replace("*", ".*")
                    + (end.isEmpty() ? "" : "$");
            assertThat(NamePattern.parse(begin + body + end).matches(name))
                    .as("seed " + seed + ": " + begin + body + end + " in " + name)
                    .isEqualTo(Pattern.compile(expression).matcher(name).find());
        }
    }

    private static String text(SplittableRandom random, String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
