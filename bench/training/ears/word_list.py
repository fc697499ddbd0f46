"""Common English words: those that are most frequent in texts about software, and some of talk."""

from __future__ import annotations

WORDS = tuple(
    """
a ab abbreviated abc able abort about above absent absolute abstract ac accept accepted accepting accepts access
accessed accessible according account accuracy acquired across act action actions active acts actual actually ad adb
add added adding addition additional addr address addresses adds adjacent adjust adjusted advanced advantage affect
affected after again against agent agents ago agree agreed agreement aka alarm alarms algorithm algorithms alias
aliases alike all allocated allocation allow allowed allowing allows almost alone along already also alter alternate
alternative although always among amount an anchor and anew annotation annotations another answer answered answers
any anybody anymore anyone anything anyway anywhere apart appear appears append appended appending applicable
application applied applies apply applying approach appropriate april arbitrary archive archives are area argument
arguments arithmetic around array arrow as ask asked asking asks assert assigned associated assume assumed assuming
at attach attached attempt attempted attempting attempts attention attribute attributes audio august author authors
automatic available average avoid avoids await aware away back backend background backslash backward bad bare
barrier base based basic basis battery be became because become becomes been before begin beginning begins begun
behave behaves behavior behaviour behind being belongs below benchmark benchmarks beside besides best better between
beyond big binary bindings bit bits blank blanks block blocked blocking blocks blue body both bottom bound bounds
box boxes brackets branch branches break breaks brief bring brings broken browser budget buffer buffered buffering
buffers bug bugs build building builds built builtin but button by byte bytes cache cached calculated calendar call
callback callbacks called caller calling calls came camera can cancelled candidate cannot canonical canvas
capability capture captured care carried carries carry case cases cassette cat category caught cause caused causes
ce cell cells certain certificate chain chains chance change changed changes changing channel channels char
character characters chars charset chat check checked checker checkers checking checkout checks child children
choice choose chooses chosen chunk chunks claim claimed claims class classes clause clauses clean cleanup clear
cleared click clicks client clients clip clipboard clips clock clone close closed closing cluster clusters code
codes coding collection collections colon color colors colour colours column columns combination combine combined
come comes command commands comment comments commit commits common commonly compare compared compares comparing
comparison comparisons compatible compilation compile compiled compiler complete completed completely completion
complex complexity compliance component components composed compound compressed compression compute computed
computer concrete concurrent condition conditions configure configured conflict conflicts confused confusing connect
connected connection connections consider considered consistency consistent consisting consists console constant
constants construct constructor constructs contact contacts contain contained container containing contains content
contents context continue continues contract contributed control controlled controls convenience convention
conversion convert converted converting converts coordinate coordinates copied copies copy copying copyright core
cores corner coroutine correct corrected correction correctly corresponds cost costs could count counted counter
counting counts course cover coverage covered covers crab create created creates creating creation cross cure
current currently custom customized cut cycle cycles daemon damage dark dash data database dataclass dataclasses
date datetime day days deal deals debug debugging december decide decided decides decimal decision declare declared
decode decoded decoder decoding decorated decorator deep default defaulting defaults define defined defines
definition definitions del delay delete deleted deletion denominator depend dependency dependent depending depends
deprecated depth derived descendant descendants describe described describes describing description descriptor
descriptors design designated designed desired desktop destination detail detailed details detect detected determine
determined determines developed developers development device devices dialog dictionary dicts did didn die diff
differ difference differences different differently differs difficulty digest digit digits dimension direct
direction directly directories directory disable disabled discarded disk display displayed displays distinct
distribute distributed do doc docs docstrings doctest document documented documents does doesn doing dollars domain
don done door dot dotted double down download draft drag draw drawing drawn draws drive driver drop dropped due duet
dummy duplicate duplicates during dynamically each earlier early easier easily easy ec echo ed edge edges edit
editing editor ef effect effective effects efficient effort eight either element elements else elsewhere email
embedded embeddings emit emitted empty emulator enable enabled encode encoded encoder encoding encountered end ended
ending endings endpoint ends engine enough ensure enter entered entire entirely entities entity entries entry
environment episode episodes episodic eq equal equivalent error errors escape escaped especially estimate evaluated
evaluation evaluator evaluators even evening event events eventually ever every everyone everything everywhere
evidence exact exactly example examples except exception exceptions exchange exchanged exclude excluding executable
execute executed executing execution exist existing exists exit exits expand expanded expect expected expects
experiment explain explicit explicitly export expressed expression expressions extend extended extending extension
extensions extent external extra extract extracted fa facility fact factory facts fail failed failing fails failure
failures fall fallback false families family far fast faster fault feature features february fee feed fetch fetched
few fewer fi field fields figure figures file filename filenames files filesystem fill filled film films filter
filtering filters final finally find finding finds fine finish finished first fit fits five fix fixed fixes flag
flags flat float flow flush focus folder folders follow followed following follows font for force forget fork forked
forks form format formats formatted formatting former forms forward found four frame frames framework free frequency
fresh friday friends from front frozen full fully function functions functools further future garbage gate gave
general generally generate generated generating generation generator generic get gets getting give given gives
giving global globals glossary gmail gnome go goal goes going gold gone good got graded grammar grant granted grants
graph graphics graphs greater greatest green grid ground grounder grounders grounding group groups guaranteed guess
guessed gzip had half hand handle handled handler handlers handles handling hang hangs happen happened happens hard
harness has hash have having head header headers heading heard height held hello help helper helpers helpful helps
hence here hex hexadecimal hidden hide hierarchy high higher hint history hit hits hold holder holds home hook hooks
hope host hostname hour hours how however hub huge human i icon icons idea identical identified identifier identify
identifying identity if iff ignore ignored ignoring image images immediately implement implemented implements
implied import important imported importing importlib imports impossible in include included includes including
incoming incomplete incorrect incorrectly incremental indent indentation indented independent index indicate
indicated indicates indicating individual infeasible infinite info information inherited initial initialize
initially inner input inputs insert inside inspect install installed installing installs instance instances
instantiate instead instruction intact integer integers intended intent interaction interactive interest interested
interesting interface interfaces internal internally interpreted interpreter interval intervals into introduced
invalid invocation invoke invoked invoking involve involved is isn issue issued issues it item items iterate
iteration its itself january job join joined joins journal judge judged judges july jump june just keep keeping
keeps kept kernel key keyed keys keyword keywords killed kind kinds know knowledge known knows label labels lack
lacks lambda lamp lang language languages large larger largest last late later latest latter law layer layout lead
leading leads leak learn learnt least leave leaves leaving led left legacy legal length lengths less let lets letter
letters level levels libraries library license licensed licenses lie lies light like likely limit limitation limited
limits line linear lineno lines link linked linking links list listed listen listing lists literal little live load
loaded loader loading local locale locally locals located location lock locked log logged logging logic logical logs
long longer longest look looked looking looks lookup loop loops lose lost lot low lower machine machinery machines
macro macros made magic mail mailbox mailing main maintain maintained maintainer major make makes making malformed
man managed management manager manner manual manually many map mapped mapping mappings maps march mark marked
markers marks master match matched matches matching math matter matters maximum may me mean meaning meaningful means
meant measure measured measures mechanism media median medium meet member members memories memory mentioned menu
merge merged merging message messages method methods metrics middle might million mini miniature minimum minor minus
minute minutes mirror missed missing mistake mistakes mixed modalities modality mode model models modes modified
modify modifying module modules moment monday money month more morning most mostly motion mouse move moved moves
moving much multiple music must my name named names namespace naming native natural near nearest necessarily
necessary need needed needs negative neither nested network never new newer newline newlines newly next night no
nobody node nodes noise none noop nor normal normalized normally not notation note noted notes nothing notice
november now null number numbered numbers numeric numpy object objects observation obtain obtained occur occurred
occurrences occurs ocr october of off offer offered offers official offset often old older oldest omit omitted
omniact on once one ones only onto op open opened opening opens operate operating operation operations operator
optimize optimized option optional optionally options or oracle order ordered orders ordinary origin original
originally other others otherwise our ours out outcome outer output outputs outside over overall overlap overridden
override overrides overriding overwritten own owner pack package packages packed padding page pages pair paired
pairs paper paragraph parallel parameter parameters parent parentheses parents parse parsed parses parsing part
partial particular parties parts party pass passed passes passing password past patch patches path pathlib pathname
paths pattern patterns pay payload pending people per perception perform performance performed performing performs
perhaps period permission permissions permitted person phone phones photo phrase physical pick pickle picture
pictures piece pieces pip pipe pixel pixels place placed placeholder places plain plan planner planners platform
platforms play played player plays please plugin plus point pointed pointer pointing points policy pool port
portable portion pos position positional positive possible possibly potential potentially power practice precision
prediction predictions preferred prefix prepare prepared present preset presets press pressed pretty prevent
previous previously price prices primarily primary primitive print printed printf printing prints prior priority
private probably problem problems process processed processes processing processor produce produced produces
producing product program programming programs progress project projects prompt prompts proper properly properties
property protect protocol protocols prove proved provide provided provider provides providing proxies proxy public
publish published pull pure purpose purposes put puts pyautogui python query question questions queue quiet quite
quote quoted quotes race raise raised raises ran random range ranges rate rates rather ratio raw re reach reached
reaches read readable reader readers reading readline reads ready real really reason reasonable reasoning reasons
recall recalled recalls receive received recent recently recipient recipients recognized recommended record recorded
recording recordings records recursion recursive recursively red reduce reduced reduces redundant refer reference
references refers refuse refused refuses regardless register registered registry regression regular reject rejected
related relative release released releases relevant remain remainder remaining remains remote removal remove removed
removes removing rename renamed repeated replace replaced replacement replaces replacing replay replies reply report
reported reporting reports repository represent represented represents reproduce request requested requests require
required requirement requires reserved reset resolution resolve resolved resource resources respect response
responses responsible rest restore result resulting results retrieved return returned returning returns reuse reused
reverse review revision revisions rewritten right robust role room root round rounded route routine row rows rule
rules run runner running runs runtime safe safely safety said same sample samples sampling satisfy saturday save
saved say saying says scale scheduled schema scheme scope score scored scores screen screens screenshot screenshots
script scripted scripts scroll search searched second seconds section sections security see seed seeds seeing seen
sees select selected selection selector self semantics send sending sends sense sensitive sent sentence separate
separated separately separator september seq sequence sequences series serve served server servers serves service
session set sets setting settings setup seven several shall shallow shape shapes share shared shares sheet shell
shift shipped short shorter shortest should shouldn show showing shown shows side sides sign signal signals
signature signed significant silence silent silently similar simple simply simulated since single site situation
situations six size sizes skip skipped slash slightly slot slow small smaller smallest snapshot snooze so socket
sockets software solution solutions solve solved solves some somebody something sometimes soon sort sorted sound
sounds source sources space spaces span spawn speak speaks spec special specialized specific specified specifier
specifies specify specifying speech speed spent split splits spoken spread square stable stack stage stages stand
standard stands start started starting starts state stated statement states static statistics status stay stays step
steps still stop stopped stops storage store stored stores storing strategy stream streams strict strictly string
strings strip stripped stripping structure structures stuff style sub subclass subclasses subject submit submodule
submodules subprocess subsequent subset subtask subtasks subtree success successful such suffix suitable suite
suites sum summary sunday supplied supply support supported supports supposed suppress sure sweep swipe switch
symbol symbolic symbols symlink symlinks sync syntax system systems tab table tables tabs tag tags tail take taken
takes taking tap target targets task tasks team tell telling tells template templates temporary ten term terminal
terminate terminated terminates termination terms test tested testing tests text texts textual than thanks that the
their theirs them theme themselves then there therefore thereof these they thing things think thinking third this
those though thought thousandths thread threading threads three through thursday thus tied time timeline timeout
timer times timestamp title to today together token tokens told tomorrow too took tool tools top topics toplevel
total touch touched towards trace traceback traces tracing track tracker tracking trailing train trained training
trajectory transaction transcript transfer translate translated translation transparent transport treat treated tree
trees trial trials tried tries triggered trivial true truncated truth try trying tuesday turn turned turns twice
twins two type typed types typically typing unable unchanged undefined under underlying understand understands
understood unexpected unique unit units unknown unless unlike unmodified unnecessary unpacked unread unsigned
unsupported until unusable up update updated updates updating upgrade upon upper upstream urllib us usable usage use
used useful user username users uses using usual usually utility val valid validate validation value values variable
variables variant variants various verb verbose verbs verdict verdicts verified verify version versions very via
video view viewer virtual visible visit voice void volume wait waited waiting waits walk walks want wanted wants
warning warnings warranty was wasn watch way ways we web wednesday weights well went were what whatever wheel when
whenever where wherever whether which while white whitespace who whoever whole whom whose why wide widget widgets
width wildcard will window windows wish with within without won word wording wordings words work worked worker
workers working works world worlds worse worth would wrap wrapped wrapper wrapping wraps writable write writer
writes writing written wrong wrote year years yellow yes yet yield yielding yields you your yourself zero zip zlib
zone
""".split()
)
