package io.ballast.http.policy;

import io.netty.buffer.ByteBuf;

/** Two copies of one request, for two policies. */
record RequestCopyPair(RequestCopy first, RequestCopy second) implements RequestCopy {

    @Override
    public void head(ByteBuf head, int headBytes, boolean inChunks) {
        first.head(head, headBytes, inChunks);
        second.head(head, headBytes, inChunks);
    }

    @Override
    public void body(ByteBuf data) {
        first.body(data);
        second.body(data);
    }

    @Override
    public void complete() {
        first.complete();
        second.complete();
    }

    @Override
    public void requestEnded() {
        first.requestEnded();
        second.requestEnded();
    }
}
