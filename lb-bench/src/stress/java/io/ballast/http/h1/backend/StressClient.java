package io.ballast.http.h1.backend;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A client with numbered GET requests, which counts how each of its first two requests ends. */
final class StressClient implements ClientSide, RequestProperties {

    /** The number of the current request, from 1 on. */
    int request;
    /** How often each request was sent to a backend, by its number. */
    final int[] sent = new int[3];
    /** How often each request failed, by its number. */
    final int[] failed = new int[3];

    @Override
    public void sendRequest(BackendSide backend) {
        sent[request]++;
    }

    @Override
    public void fail(Failure failure) {
        failed[request]++;
    }

    @Override
    public boolean canSendAgain() {
        return true;
    }

    @Override
    public boolean isFirstRequest() {
        return false;
    }

    @Override
    public RequestProperties request() {
        return this;
    }

    @Override
    public void resumeRequest() {}

    @Override
    public void informational(ResponseScanner head, ByteBuf received) {
        throw new AssertionError("no backend answers");
    }

    @Override
    public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
        throw new AssertionError("no backend answers");
    }

    @Override
    public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
        throw new AssertionError("no backend answers");
    }

    @Override
    public void responseBody(ByteBuf data) {
        throw new AssertionError("no backend answers");
    }

    @Override
    public void flush() {}

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void responseEnd() {
        throw new AssertionError("no backend answers");
    }

    @Override
    public RequestMethod method() {
        return RequestMethod.GET;
    }

    @Override
    public long announcedBodyBytes() {
        return 0;
    }

    @Override
    public @Nullable UpgradeProtocol upgrade() {
        return null;
    }
}
