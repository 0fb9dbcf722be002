package io.ballast.dashboard.web;

import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.Handler;
import io.ballast.dashboard.server.Request;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A file of the page that is read and compressed at its first request. Confined to the dashboard's event loop. */
final class LazyAsset implements Handler {

    private final String contentType;
    private final Supplier<byte[]> content;
    private @Nullable Asset asset;

    LazyAsset(String contentType, Supplier<byte[]> content) {
        this.contentType = contentType;
        this.content = content;
    }

    @Override
    public AdminResponse handle(Request request) {
        if (asset == null) {
            asset = new Asset(contentType, content.get());
        }
        return asset.handle(request);
    }
}
