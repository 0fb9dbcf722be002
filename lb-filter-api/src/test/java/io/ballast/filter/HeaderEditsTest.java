package io.ballast.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.filter.HeaderEdits.Edit;
import io.ballast.filter.HeaderEdits.Kind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderEditsTest {

    @Test
    void editsKeepTheirOrder() {
        HeaderEdits edits =
                HeaderEdits.NONE.set("X-A", " 1 ").append("X-B", "2").remove("X-C");

        assertThat(edits.edits())
                .containsExactly(
                        new Edit(Kind.SET, "X-A", "1"),
                        new Edit(Kind.APPEND, "X-B", "2"),
                        new Edit(Kind.REMOVE, "X-C", ""));
        assertThat(HeaderEdits.NONE.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "a:", "a\r\nb", "ä", "Host", "content_length", "Transfer-Encoding", "X-Forwarded-For"
            })
    void otherNamesAreRejected(String name) {
        assertThatThrownBy(() -> HeaderEdits.NONE.set(name, "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeaderEdits.NONE.append(name, "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeaderEdits.NONE.remove(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(200).withHeader(name, "1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Forged: 1", "a\n", "\u0000", "\u007f", "€"})
    void otherValuesAreRejected(String value) {
        assertThatThrownBy(() -> HeaderEdits.NONE.set("X-A", value)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(200).withHeader("X-A", value))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(200).withBody(value, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void editsAreBounded() {
        HeaderEdits many = HeaderEdits.NONE;
        for (int i = 0; i < HeaderEdits.MAX_EDITS; i++) {
            many = many.append("X-A", "1");
        }
        HeaderEdits full = many;

        assertThatThrownBy(() -> full.append("X-A", "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HeaderEdits.NONE.set("X-A", "1".repeat(HeaderEdits.MAX_BYTES)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void answersAreBounded() {
        assertThatThrownBy(() -> FilterAnswer.of(199)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(600)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(200).withHeader("Content-Type", "a/b"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FilterAnswer.of(200).withBody("", new byte[FilterAnswer.MAX_BODY_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BodyAccess.whole(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BodyAccess.start(BodyAccess.MAX_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bodiesAreCopies() {
        byte[] bytes = "body".getBytes(StandardCharsets.US_ASCII);
        FilterBody body = FilterBody.of(bytes, /* complete= */ false);
        FilterAnswer answer = FilterAnswer.of(200).withBody("text/plain", bytes);
        bytes[0] = 'c';
        body.bytes()[1] = 'c';
        answer.body()[1] = 'c';

        assertThat(body.text(StandardCharsets.US_ASCII)).isEqualTo("body");
        assertThat(body.isComplete()).isFalse();
        assertThat(answer.body()).asString(StandardCharsets.US_ASCII).isEqualTo("body");
    }
}
