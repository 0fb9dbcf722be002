package io.ballast.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.testing.Rules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadEditsTest {

    @Test
    void laterRulesChangeWhatEarlierOnesHaveAdded() {
        assertThat(lines(Rules.set("X-A", "1"), Rules.set("x-a", "2"))).isEqualTo("x-a: 2\r\n");
        assertThat(lines(Rules.add("X-A", "1"), Rules.add("X-A", "2"))).isEqualTo("X-A: 1\r\nX-A: 2\r\n");
        assertThat(lines(Rules.set("X-A", "1"), Rules.remove("x-A"))).isEmpty();
        assertThat(lines(Rules.remove("x-A"), Rules.add("X-A", "1"))).isEqualTo("X-A: 1\r\n");
    }

    @Test
    void variablesStandBetweenFixedText() {
        assertThat(lines(Rules.set("A", "$host"), Rules.set("B", "x$host$time-y"), Rules.set("C", "$$host")))
                .isEqualTo("A: <host>\r\nB: x<host><time>-y\r\nC: $host\r\n");
    }

    @ParameterizedTest
    @CsvSource({"x-a,true", "X-A,true", "x-b,false", "x-ab,false", "x,false", "X-Long-Name,true", "X-Long-Nam,false"})
    void linesOfTheSameNameAreCut(String name, boolean expected) {
        HeaderEdits edits = edits(Rules.set("X-A", "1"), Rules.remove("x-long-name"));
        byte[] octets = ("..." + name + ": 1").getBytes(StandardCharsets.US_ASCII);

        assertThat(edits.cuts(octets, 3, 3 + name.length())).isEqualTo(expected);
        assertThat(edits.cuts(name)).isEqualTo(expected);
    }

    @Test
    void namesWhoseLengthsDifferBy64AreToldApart() {
        String name = "x".repeat(70);

        assertThat(edits(Rules.remove(name)).cuts(name)).isTrue();
        assertThat(edits(Rules.remove(name)).cuts("x".repeat(6))).isFalse();
    }

    @Test
    void nothingChangesNothing() {
        assertThat(HeaderEdits.NONE.cutsAny()).isFalse();
        assertThat(HeaderEdits.NONE.appendsAny()).isFalse();
        assertThat(HeaderEdits.NONE.cuts("x")).isFalse();
        assertThat(HeadEdits.NONE.keepsHost()).isTrue();
        assertThat(HeadEdits.NONE.usesHost()).isFalse();
    }

    private static String lines(HeaderChanges... changes) {
        OctetBuffer lines = new OctetBuffer();
        edits(changes)
                .append(
                        (variable, target) ->
                                target.append(("<" + variable.label() + ">").getBytes(StandardCharsets.US_ASCII)),
                        lines);
        return new String(lines.bytes(), 0, lines.length(), StandardCharsets.US_ASCII);
    }

    private static HeaderEdits edits(HeaderChanges... changes) {
        return HeadEdits.compile(
                        Arrays.stream(changes)
                                .map(change -> new HeaderRules(change, HeaderChanges.NONE))
                                .toList(),
                        new HostHeader.Keep())
                .request();
    }
}
