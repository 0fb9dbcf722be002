package io.ballast.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.testing.TestHeaderRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteHeaderEditsTest {

    @Test
    void laterRulesChangeEarlierAdditions() {
        assertThat(lines(TestHeaderRules.set("X-A", "1"), TestHeaderRules.set("x-a", "2")))
                .isEqualTo("x-a: 2\r\n");
        assertThat(lines(TestHeaderRules.add("X-A", "1"), TestHeaderRules.add("X-A", "2")))
                .isEqualTo("X-A: 1\r\nX-A: 2\r\n");
        assertThat(lines(TestHeaderRules.set("X-A", "1"), TestHeaderRules.remove("x-A")))
                .isEmpty();
        assertThat(lines(TestHeaderRules.remove("x-A"), TestHeaderRules.add("X-A", "1")))
                .isEqualTo("X-A: 1\r\n");
    }

    @Test
    void combinesVariablesAndText() {
        assertThat(lines(
                        TestHeaderRules.set("A", "$host"),
                        TestHeaderRules.set("B", "x$host$time-y"),
                        TestHeaderRules.set("C", "$$host")))
                .isEqualTo("A: <host>\r\nB: x<host><time>-y\r\nC: $host\r\n");
    }

    @ParameterizedTest
    @CsvSource({"x-a,true", "X-A,true", "x-b,false", "x-ab,false", "x,false", "X-Long-Name,true", "X-Long-Nam,false"})
    void removesAllLinesOfName(String name, boolean expected) {
        CompiledHeaderChanges edits = edits(TestHeaderRules.set("X-A", "1"), TestHeaderRules.remove("x-long-name"));
        byte[] bytes = ("..." + name + ": 1").getBytes(StandardCharsets.US_ASCII);

        assertThat(edits.removes(bytes, 3, 3 + name.length())).isEqualTo(expected);
        assertThat(edits.removes(name)).isEqualTo(expected);
    }

    @Test
    void distinguishesNamesWithLengthsDifferingBy64() {
        String name = "x".repeat(70);

        assertThat(edits(TestHeaderRules.remove(name)).removes(name)).isTrue();
        assertThat(edits(TestHeaderRules.remove(name)).removes("x".repeat(6))).isFalse();
    }

    @Test
    void emptyRulesChangeNothing() {
        assertThat(CompiledHeaderChanges.NONE.removesAny()).isFalse();
        assertThat(CompiledHeaderChanges.NONE.appendsAny()).isFalse();
        assertThat(CompiledHeaderChanges.NONE.removes("x")).isFalse();
        assertThat(RouteHeaderEdits.NONE.keepsHost()).isTrue();
        assertThat(RouteHeaderEdits.NONE.usesHost()).isFalse();
    }

    private static String lines(HeaderChanges... changes) {
        ByteAppender lines = new ByteAppender();
        edits(changes)
                .append(
                        (variable, target) ->
                                target.append(("<" + variable.label() + ">").getBytes(StandardCharsets.US_ASCII)),
                        lines);
        return new String(lines.bytes(), 0, lines.length(), StandardCharsets.US_ASCII);
    }

    private static CompiledHeaderChanges edits(HeaderChanges... changes) {
        return RouteHeaderEdits.compile(
                        Arrays.stream(changes)
                                .map(change -> new HeaderRules(change, HeaderChanges.NONE))
                                .toList(),
                        new HostHeader.Keep())
                .request();
    }
}
