package io.ballast.dns.forward.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.RewriteRule.Action;
import io.ballast.dns.wire.NameHash;
import java.util.List;
import org.junit.jupiter.api.Test;

class RewriteTableTest {

    private static final List<IpAddress> ONE = List.of(IpAddress.parse("192.0.2.1"));

    private final NameHash hash = new NameHash(1, 2);
    private final FilterTableFixture names = new FilterTableFixture();

    private String found(RewriteTable table, String name) {
        RewriteRule rule = table.find(names.name(name));
        return rule == null ? "none" : rule.name() + " " + rule.action();
    }

    @Test
    void maxSpecificRuleWins() {
        RewriteTable table = RewriteTable.of(
                hash,
                List.of(
                        RewriteRule.ofAddresses("*.example.com", ONE),
                        RewriteRule.of("Example.com", Action.NXDOMAIN),
                        RewriteRule.of("*.a.example.com", Action.NODATA),
                        RewriteRule.of("b.a.example.com.", Action.UNCHANGED),
                        RewriteRule.alias("c.example.com", "target.example.net")));

        assertThat(found(table, "example.com")).isEqualTo("example.com NXDOMAIN");
        assertThat(found(table, "x.example.com")).isEqualTo("*.example.com ADDRESSES");
        assertThat(found(table, "a.example.com")).isEqualTo("*.example.com ADDRESSES");
        assertThat(found(table, "x.a.example.com")).isEqualTo("*.a.example.com NODATA");
        assertThat(found(table, "b.a.example.com")).isEqualTo("b.a.example.com UNCHANGED");
        assertThat(found(table, "x.b.a.example.com")).isEqualTo("*.a.example.com NODATA");
        assertThat(found(table, "c.example.com")).isEqualTo("c.example.com ALIAS");
        assertThat(found(table, "notexample.com")).isEqualTo("none");
        assertThat(found(table, "com")).isEqualTo("none");
        assertThat(table.size()).isEqualTo(5);
        assertThat(found(RewriteTable.empty(), "example.com")).isEqualTo("none");
    }

    @Test
    void rejectsDuplicateName() {
        assertThatThrownBy(() -> RewriteTable.of(
                        hash,
                        List.of(
                                RewriteRule.ofAddresses("a.example", ONE),
                                RewriteRule.of("A.example.", Action.REFUSED))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rewrite: a.example (expected: one rule per name)");
    }

    @Test
    void rejectsAliasLoops() {
        assertThatThrownBy(() -> RewriteTable.of(
                        hash,
                        List.of(
                                RewriteRule.alias("a.example", "x.b.example"),
                                RewriteRule.alias("*.b.example", "a.example"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loop");
    }

    @Test
    void rejectsInvalidAction() {
        assertThatThrownBy(() -> RewriteRule.ofAddresses("a.example", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RewriteRule.ofAddresses("*", ONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RewriteRule.alias("a.example", "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RewriteRule("a.example", Action.NXDOMAIN, ONE, ""))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
