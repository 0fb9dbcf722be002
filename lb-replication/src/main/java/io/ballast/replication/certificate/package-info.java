/**
 * Certificates ordered by ACME, accounts and responses to challenges as facts: {@link
 * io.ballast.replication.certificate.CertificateFacts}.
 */
@NullMarked
package io.ballast.replication.certificate;

import org.jspecify.annotations.NullMarked;
