package io.ballast.http.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceStateTest {

    private final TraceState state = new TraceState();

    private boolean add(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return state.add(bytes, 0, bytes.length);
    }

    private String members() {
        return new String(state.members().bytes(), 0, state.members().length(), StandardCharsets.US_ASCII);
    }

    @Test
    void linesAreCombinedInTheirOrder() {
        assertThat(add("rojo=00f067aa0ba902b7, congo=t61rcWkgMzE")).isTrue();
        assertThat(add("\t1a-b*c/d@e_f=!~ x;y ,,")).isTrue();

        assertThat(members()).isEqualTo("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE,1a-b*c/d@e_f=!~ x;y");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "=b", "a=", "A=b", "a b=c", "a=b=c", "a=b\u0001", "a=\u00e9", "-a=b", "b=1,a=2,b=3", "a;b=c"
            })
    void invalidLineDiscardsTheWholeState(String line) {
        assertThat(add("first=1")).isTrue();
        assertThat(add(line)).isFalse();

        assertThat(members()).isEmpty();
    }

    @Test
    void keysAndValuesHaveAtMost256Bytes() {
        String longest = "k".repeat(256);

        assertThat(add(longest + "=" + "v".repeat(255))).isTrue();
        assertThat(members()).hasSize(512);
        state.clear();
        assertThat(add(longest + "k=v")).isFalse();
        assertThat(add("k=" + "v".repeat(257))).isFalse();
    }

    @Test
    void membersBeyondTheLimitAreDroppedFromTheEnd() {
        String first = "a=" + "x".repeat(250);
        String second = "b=" + "x".repeat(250);

        assertThat(add(first + "," + second + ",c=" + "x".repeat(20) + ",d=1")).isTrue();

        assertThat(members()).isEqualTo(first + "," + second);
    }

    @Test
    void moreThan32MembersAreInvalid() {
        String most = IntStream.range(0, 32).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining(","));

        assertThat(add(most)).isTrue();
        assertThat(members()).isEqualTo(most);
        assertThat(add("another=v")).isFalse();
        assertThat(members()).isEmpty();
    }
}
