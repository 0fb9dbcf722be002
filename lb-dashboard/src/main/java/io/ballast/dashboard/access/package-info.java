/**
 * Authentication and authorization of the dashboard. {@link io.ballast.dashboard.access.Access} authenticates requests
 * by session or token. {@link io.ballast.dashboard.access.Secrets} creates the hashes for the configuration.
 */
@NullMarked
package io.ballast.dashboard.access;

import org.jspecify.annotations.NullMarked;
