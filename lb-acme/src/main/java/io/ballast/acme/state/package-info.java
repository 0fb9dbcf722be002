/** The files of accounts and certificates. */
@NullMarked
package io.ballast.acme.state;

import org.jspecify.annotations.NullMarked;
