package io.ballast.dns.forward.filter.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.FilterTableFixture;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.ListKind;
import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fuzzes lists with arbitrary bytes: each rule is the same after formatting and parsing, and matches its own name. */
class RuleParserFuzzTest {

    @FuzzTest
    void parsesArbitraryList(byte[] input) throws IOException, FilterLimitException {
        Collected collected = new Collected();
        RuleParser parser = new RuleParser(collected, RuleParserFuzzTest::isGroup);
        for (String line : new String(input, StandardCharsets.UTF_8).split("\r\n|\r|\n", -1)) {
            parser.line(line);
        }

        RuleSet read = RuleSet.read(new ByteArrayInputStream(input), Integer.MAX_VALUE, RuleParserFuzzTest::isGroup);

        assertThat(read.size()).isEqualTo(collected.rules.size());
        FilterTableFixture table =
                new FilterTableFixture().list(new FilterList(0, "fuzz", ListKind.BLOCK, /* isEnabled= */ true, read));
        for (FilterRule rule : collected.rules) {
            assertThat(again(rule)).isEqualTo(rule.toString());
            if (rule.subject() == Subject.TREE && !rule.isCancelling()) {
                long verdict = table.verdict(rule.text());
                assertThat(verdict != FilterVerdict.NONE || isCancelled(collected.rules, rule))
                        .isTrue();
            }
        }
    }

    private static boolean isGroup(String name) {
        return name.length() > 1;
    }

    private static boolean isCancelled(List<FilterRule> rules, FilterRule rule) {
        return rules.stream()
                .anyMatch(other -> other.isCancelling() && other.text().equals(rule.text()));
    }

    private static String again(FilterRule rule) {
        Collected collected = new Collected();
        new RuleParser(collected, RuleParserFuzzTest::isGroup).line(rule.toString());
        return collected.rules.size() == 1 ? collected.rules.get(0).toString() : "" + collected.refused;
    }

    private static final class Collected implements RuleSink {

        final List<FilterRule> rules = new ArrayList<>();
        final List<RefusedLine> refused = new ArrayList<>();

        @Override
        public void onRule(FilterRule rule) {
            rules.add(rule);
        }

        @Override
        public void onRefused(RefusedLine line) {
            refused.add(line);
        }

        @Override
        public void onBroad(BroadRule rule) {}

        @Override
        public void onCosmetic() {}
    }
}
