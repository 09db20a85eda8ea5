cmake_minimum_required(VERSION 3.25)
# Writes ${output} with the version and the sources' commit; run at every build, changes it only if needed.
execute_process(
  COMMAND git -C ${source} describe --always --dirty=+ --abbrev=12 --match=nothing
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(
  CONFIGURE
  OUTPUT ${output}
  CONTENT
    "#include \"gate/records/version.hpp\"

namespace driftgate::gate::version {

const char* const number = \"@version@\";
const char* const commit = \"@commit@\";
const char* const reports = \"@source@/reports\";

}  // namespace driftgate::gate::version
"
  @ONLY)
