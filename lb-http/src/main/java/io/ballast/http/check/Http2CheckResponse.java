package io.ballast.http.check;

import io.netty.buffer.ByteBuf;

/** Passes an HTTP/2 response to a check of type http to its {@link CheckResponseEvaluator}. */
final class Http2CheckResponse implements Http2Check.Answer {

    private final CheckResponseEvaluator evaluator;

    Http2CheckResponse(CheckResponseEvaluator evaluator) {
        this.evaluator = evaluator;
    }

    @Override
    public boolean fields(Http2Fields fields, boolean last) {
        int status = fields.status();
        boolean bodyDecides = status == 0 || evaluator.status(status, Integer.toString(status));
        return bodyDecides && evaluateIfComplete(last);
    }

    @Override
    public boolean data(ByteBuf source, int at, int length, boolean last) {
        evaluator.add(source, at, length);
        return evaluateIfComplete(last);
    }

    private boolean evaluateIfComplete(boolean last) {
        boolean more = !last && !evaluator.isFull();
        if (!more) {
            evaluator.evaluateBody();
        }
        return more;
    }

    @Override
    public void failed(String reason) {
        evaluator.failed(reason);
    }
}
