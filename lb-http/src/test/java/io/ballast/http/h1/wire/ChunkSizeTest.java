package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkSizeTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 15, 16, 255, 256, 0xabcdef, 0x1000000, Integer.MAX_VALUE})
    void writesHexadecimalWithoutLeadingZeros(int length) {
        ByteBuf line = Unpooled.buffer(ChunkSize.MAX_BYTES, ChunkSize.MAX_BYTES);

        ChunkSize.write(length, line);

        assertThat(line.toString(StandardCharsets.US_ASCII)).isEqualTo(Integer.toHexString(length) + "\r\n");
    }
}
