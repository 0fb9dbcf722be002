package io.ballast.dashboard.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvLineTest {

    @Test
    void fieldsAreSeparatedAndQuotedIfNecessary() {
        CsvLine line = new CsvLine()
                .text("")
                .text("a b")
                .text("a,b")
                .text("a\"b")
                .text("a\nb")
                .number(-7)
                .number(0.12345)
                .number(2.0)
                .number(Double.NaN);

        assertThat(written(line)).isEqualTo(",a b,\"a,b\",\"a\"\"b\",\"a\nb\",-7,0.123,2,\r\n");
    }

    @Test
    void theNextRecordStartsEmpty() {
        CsvLine line = new CsvLine().text("a").text("b");

        assertThat(written(line)).isEqualTo("a,b\r\n");
        assertThat(written(line.text("").text("c"))).isEqualTo(",c\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\uff1d1"})
    void formulasAreEscaped(String formula) {
        String written = written(new CsvLine().text(formula));

        assertThat(written.replace("\"", "")).isEqualTo("'" + formula + "\r\n");
    }

    private static String written(CsvLine line) {
        ByteBuf out = Unpooled.buffer();
        line.end(out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
