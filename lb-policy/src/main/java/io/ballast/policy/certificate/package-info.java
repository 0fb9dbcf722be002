/** Requirements for the certificates of clients. */
@NullMarked
package io.ballast.policy.certificate;

import org.jspecify.annotations.NullMarked;
