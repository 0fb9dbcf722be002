package io.ballast.acme.schedule;

import io.ballast.acme.order.RevocationCode;

/**
 * The reason for the revocation of a certificate, and the operator.
 *
 * @param who the operator
 */
public record Revocation(RevocationCode reason, String who) {}
