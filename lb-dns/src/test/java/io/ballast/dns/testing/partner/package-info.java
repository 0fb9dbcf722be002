/** Other vendors' name servers, run as processes in tests if they are installed. */
@NullMarked
package io.ballast.dns.testing.partner;

import org.jspecify.annotations.NullMarked;
