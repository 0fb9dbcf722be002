package io.ballast.http.policy;

import io.ballast.http.testing.TestBalancer;

/** The versions of HTTP with which policies are tested. */
public enum PolicyVersion {
    HTTP_1,
    HTTP_2;

    /** Connects to a balancer. */
    public PolicyClient connect(TestBalancer balancer) {
        return this == HTTP_1 ? new Http1PolicyClient(balancer) : new Http2PolicyClient(balancer);
    }
}
