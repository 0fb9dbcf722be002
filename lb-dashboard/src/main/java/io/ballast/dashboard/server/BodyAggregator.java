package io.ballast.dashboard.server;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Collects the body of each request, up to {@value #MAX_BYTES} bytes. A longer body gets a 413 with a problem
 * document; its bytes are discarded. Confined to the event loop.
 */
final class BodyAggregator extends HttpObjectAggregator {

    static final int MAX_BYTES = 16 * 1024;

    BodyAggregator() {
        super(MAX_BYTES, /* closeOnExpectationFailed= */ true);
    }

    @Override
    protected Object newContinueResponse(HttpMessage start, int maxContentLength, ChannelPipeline pipeline) {
        Object response = super.newContinueResponse(start, maxContentLength, pipeline);
        if (response instanceof FullHttpResponse refusal
                && refusal.status().equals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE)) {
            refusal.release();
            return tooLarge();
        }
        return response;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        boolean keepsAlive = HttpUtil.isKeepAlive(oversized);
        context.writeAndFlush(tooLarge())
                .addListener(keepsAlive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE);
    }

    private static FullHttpResponse tooLarge() {
        AdminResponse.Complete reply = HttpProblem.of(
                        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                        "the body is too large (expected: at most " + MAX_BYTES + " bytes)")
                .reply();
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                reply.status(),
                reply.body(),
                reply.headers(),
                DefaultHttpHeadersFactory.trailersFactory().newHeaders());
        SecurityHeaders.addTo(response.headers());
        HttpUtil.setContentLength(response, reply.body().readableBytes());
        return response;
    }
}
