package io.ballast.acme.schedule;

import io.ballast.acme.order.RevocationCode;

/**
 * Why a certificate is revoked.
 *
 * @param who the operator
 */
public record Revocation(RevocationCode reason, String who) {}
