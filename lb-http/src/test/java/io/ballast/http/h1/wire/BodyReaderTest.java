package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class BodyReaderTest {

    private static final ByteBuf TEN = Unpooled.copiedBuffer(ByteClasses.ascii("3\r\nabc\r\n0\r\n\r\nmore"));

    private final BodyReader body = new BodyReader();

    @Test
    void emptyBodyIsDone() {
        body.start(BodyFraming.NONE, /* length= */ 7);

        assertThat(body.isDone()).isTrue();
        assertThat(body.consume(TEN, 2, 10)).isEqualTo(2);
        assertThat(body.consumedBytes()).isZero();
    }

    @Test
    void readsBodyOfKnownLength() {
        body.start(BodyFraming.LENGTH, 7);

        assertThat(body.consume(TEN, 0, 5)).isEqualTo(5);
        assertThat(body.isDone()).isFalse();
        assertThat(body.consume(TEN, 5, 10)).isEqualTo(7);
        assertThat(body.isDone()).isTrue();
        assertThat(body.consume(TEN, 7, 10)).isEqualTo(7);
        assertThat(body.consumedBytes()).isEqualTo(7);
    }

    @Test
    void acceptsLengthBeyondInt() {
        body.start(BodyFraming.LENGTH, 5_000_000_000L);

        assertThat(body.consume(TEN, 0, 10)).isEqualTo(10);
        assertThat(body.isDone()).isFalse();
    }

    @Test
    void chunkedBodyEndsWithLastChunk() {
        body.start(BodyFraming.CHUNKED, FieldScanner.NO_LENGTH);

        assertThat(body.consume(TEN, 0, TEN.writerIndex())).isEqualTo(13);
        assertThat(body.isDone()).isTrue();
        assertThat(body.consumedBytes()).isEqualTo(3);
        assertThat(body.isFaulty()).isFalse();
    }

    @Test
    void malformedChunkFailsBody() {
        body.start(BodyFraming.CHUNKED, FieldScanner.NO_LENGTH);
        body.consume(TEN, /* from= */ 6, 10); // CR is not a chunk size

        assertThat(body.fault()).isEqualTo(HeadError.MALFORMED_CHUNK);

        body.start(BodyFraming.LENGTH, 1);
        assertThat(body.isFaulty()).isFalse();
    }

    @Test
    void connectionDelimitedBodyIsNeverDone() {
        body.start(BodyFraming.UNTIL_CLOSE, FieldScanner.NO_LENGTH);

        assertThat(body.consume(TEN, 0, 10)).isEqualTo(10);
        assertThat(body.isDone()).isFalse();
    }
}
