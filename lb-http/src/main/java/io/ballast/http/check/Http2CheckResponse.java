package io.ballast.http.check;

import io.netty.buffer.ByteBuf;

/** Passes an HTTP/2 response to a check of type http to its {@link CheckResponseEvaluator}. */
final class Http2CheckResponse implements Http2Check.Answer {

    private final CheckResponseEvaluator judge;

    Http2CheckResponse(CheckResponseEvaluator judge) {
        this.judge = judge;
    }

    @Override
    public boolean fields(Http2Fields fields, boolean last) {
        int status = fields.status();
        boolean bodyDecides = status == 0 || judge.status(status, Integer.toString(status));
        return bodyDecides && continues(last);
    }

    @Override
    public boolean data(ByteBuf source, int at, int length, boolean last) {
        judge.add(source, at, length);
        return continues(last);
    }

    private boolean continues(boolean last) {
        boolean more = !last && !judge.isFull();
        if (!more) {
            judge.end();
        }
        return more;
    }

    @Override
    public void failed(String reason) {
        judge.failed(reason);
    }
}
