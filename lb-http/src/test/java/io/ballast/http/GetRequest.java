package io.ballast.http;

import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.head.RequestMethod;
import io.ballast.http.head.UpgradeProtocol;
import org.jspecify.annotations.Nullable;

/** A GET request without a body. */
final class GetRequest implements RequestProperties {

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
