package io.ballast.cli.api;

import java.io.IOException;
import java.net.URI;

/** Thrown if the dashboard answers with an error. */
public final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    private final int status;

    RefusedException(URI api, DashboardApi.Answer answer) {
        super(api + ": " + answer.detail());
        this.status = answer.status();
    }

    int status() {
        return status;
    }
}
