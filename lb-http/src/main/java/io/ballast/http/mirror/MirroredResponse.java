package io.ballast.http.mirror;

import io.ballast.http.background.BackgroundFailure;
import io.ballast.http.background.BackgroundResponseHandler;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.netty.buffer.ByteBuf;

/** Counts the response to a mirrored request, and discards it. Event-loop confined. */
final class MirroredResponse implements BackgroundResponseHandler {

    private final Mirror mirror;
    private final int loop;
    private int status;

    MirroredResponse(Mirror mirror, int loop) {
        this.mirror = mirror;
        this.loop = loop;
    }

    @Override
    public void head(ResponseScanner head, ByteBuf bytes, BodyFraming framing) {
        status = head.status();
    }

    @Override
    public void body(ByteBuf data) {}

    @Override
    public void end() {
        mirror.end(MirrorOutcome.ofStatus(status), loop);
    }

    @Override
    public void failed(BackgroundFailure failure) {
        mirror.end(MirrorOutcome.of(failure), loop);
    }
}
