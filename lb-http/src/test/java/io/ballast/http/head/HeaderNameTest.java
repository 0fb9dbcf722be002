package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderNameTest {

    @ParameterizedTest
    @EnumSource(HeaderName.class)
    void findsNameInAnyCase(HeaderName name) {
        String text = name.name().replace('_', '-');

        assertThat(find(text)).isEqualTo(name);
        assertThat(find(text.toLowerCase(Locale.ROOT))).isEqualTo(name);
        assertThat(find(text.charAt(0) + text.substring(1).toLowerCase(Locale.ROOT)))
                .isEqualTo(name);
    }

    @ParameterizedTest
    @EnumSource(HeaderName.class)
    void rejectsNameWithOneByteChanged(HeaderName name) {
        String text = name.name().replace('_', '-');

        assertThat(find(text + "x")).isNull();
        assertThat(find("x" + text)).isNull();
        assertThat(find(text.substring(1))).isNull();
        assertThat(find(text.substring(0, text.length() - 1) + "!")).isNull();
        assertThat(find("!" + text.substring(1))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "Content_Length", "a-header-with-a-very-long-name-indeed", "`ost", "(ost"})
    void unknownNamesAreNone(String text) {
        assertThat(find(text)).isNull();
    }

    @Test
    void framingAndHostCannotBeRemoved() {
        assertThat(HeaderName.HOST.kind).isEqualTo(HeaderName.Kind.PROTECTED);
        assertThat(HeaderName.CONTENT_LENGTH.kind).isEqualTo(HeaderName.Kind.PROTECTED);
        assertThat(HeaderName.TRANSFER_ENCODING.kind).isEqualTo(HeaderName.Kind.PROTECTED);
    }

    private static HeaderName find(String text) {
        byte[] bytes = ByteClasses.ascii("<" + text + ">");
        return HeaderName.of(bytes, 1, bytes.length - 1);
    }
}
